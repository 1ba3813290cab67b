package live.retwis.post;

import live.retwis.web.Forms;
import live.retwis.web.Frame;
import live.retwis.web.Frames;
import live.retwis.web.Html;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.Templates;
import live.retwis.web.Text;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The form for a post on a page of its own, where one that cannot be taken comes back
 * with its text.
 */
@Component
class ComposePage {

	private final PageTemplate page;

	private final Frames frames;

	private final Compose compose;

	ComposePage(Templates templates, Frames frames, Compose compose) {
		this.page = templates.page("compose");
		this.frames = frames;
		this.compose = compose;
	}

	/** As {@link Compose#read}. */
	ComposeView read(Forms sent) {
		return this.compose.read(sent);
	}

	/** The form as it is, with what is wrong with it. */
	Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, @Nullable Viewer author,
			ComposeView form) {
		Text title = (form.replyTo() != null) ? Text.of("Your reply") : Text.of("Your post");
		return this.frames.withForms(request.exchange(), title, author)
			.flatMap((frame) -> Html.page(response, this.page, new View(frame, form)));
	}

	private record View(Frame frame, ComposeView compose) implements PageView {
	}

}
