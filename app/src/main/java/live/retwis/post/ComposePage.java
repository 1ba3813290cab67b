package live.retwis.post;

import live.retwis.i18n.Message;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The page that shows only the form for a post. A form that cannot be accepted comes back
 * on it, with its text.
 */
@Component
class ComposePage {

	private final PageTemplate page;

	private final PageFrames frames;

	private final ComposeForms compose;

	ComposePage(Templates templates, PageFrames frames, ComposeForms compose) {
		this.page = templates.page("compose");
		this.frames = frames;
		this.compose = compose;
	}

	/** See {@link ComposeForms#read}. */
	ComposeView read(SubmittedForm sent) {
		return this.compose.read(sent);
	}

	/** Shows the form with its error. */
	Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, @Nullable Viewer author,
			ComposeView form) {
		Message title = (form.replyTo() != null) ? Message.of("compose.title-reply") : Message.of("compose.title");
		return this.frames.withForms(request.exchange(), title, author)
			.flatMap((frame) -> HtmlResponses.page(response, this.page, new View(frame, form)));
	}

	private record View(PageFrame frame, ComposeView compose) implements PageView {
	}

}
