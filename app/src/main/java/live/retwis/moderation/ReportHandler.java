package live.retwis.moderation;

import java.util.Map;
import java.util.function.BiFunction;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.Post;
import live.retwis.post.RenderedPost;
import live.retwis.post.RenderedPosts;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.text.TextNormalizer;
import live.retwis.web.FormField;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the form to report a post. Reporting a post again is answered in the same way.
 */
@Component
class ReportHandler implements RouteContributor {

	private static final String PATH = "/posts/{id}/report";

	/** Parameter of the page after the form was sent. */
	private static final String SENT = "sent";

	/** Most characters (code points) of a reason. */
	private static final int LONGEST = 200;

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final RenderedPosts posts;

	private final AbuseReportRepository reports;

	ReportHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, RenderedPosts posts,
			AbuseReportRepository reports) {
		this.page = templates.page("report");
		this.frames = frames;
		this.viewers = viewers;
		this.posts = posts;
		this.reports = reports;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes
			.get(PATH,
					(request) -> signedIn(request,
							(viewer, post) -> show(request, ServerResponse.ok(), viewer, post,
									request.queryParam(SENT).isPresent() ? null : FormField.EMPTY)))
			.post(PATH, RateLimit.REPORTS,
					(request) -> signedIn(request, (viewer, post) -> report(request, viewer, post)));
	}

	private Mono<ServerResponse> signedIn(ServerRequest request,
			BiFunction<Viewer, ReportedPost, Mono<ServerResponse>> answer) {
		String postId = request.pathVariable("id");
		return this.viewers
			.readOwn(request.exchange(), (hidden) -> hidden.flatMap((known) -> this.posts.findOrFail(postId)))
			.flatMap((read) -> {
				Viewer viewer = read.viewer().orElseThrow();
				return viewer.id().equals(read.page().post().authorId())
						? ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("report.own"))
						: answer.apply(viewer, ReportedPost.of(read));
			})
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, "/posts/" + postId)));
	}

	private Mono<ServerResponse> report(ServerRequest request, Viewer viewer, ReportedPost post) {
		return SubmittedForm.of(request).flatMap((sent) -> {
			String reason = printable(sent.get("reason"));
			String postId = post.id();
			return (reason.codePointCount(0, reason.length()) > LONGEST) ? refuse(request, viewer, post, reason)
					: this.reports.keep(postId, viewer.id(), reason).then(done(request, postId));
		});
	}

	private Mono<ServerResponse> refuse(ServerRequest request, Viewer viewer, ReportedPost post, String reason) {
		Message why = Message.of("report.too-long", LONGEST);
		return HtmlResponses.wantsJson(request) ? ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, why)
				: show(request, ServerResponse.unprocessableContent(), viewer, post, new FormField(reason, why));
	}

	private static Mono<ServerResponse> done(ServerRequest request, String postId) {
		return HtmlResponses.wantsJson(request)
				? ServerResponse.ok().bodyValue(Map.of("post", postId, "reported", true))
				: HtmlResponses.seeOther("/posts/" + postId + "/report?" + SENT);
	}

	/**
	 * Operators read the reason in a terminal, so a space stands in place of everything
	 * that is not printed, such as line ends and control characters.
	 */
	private static String printable(String reason) {
		return TextNormalizer.of(reason).replaceAll("\\p{C}+", " ").strip();
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Viewer viewer,
			ReportedPost post, @Nullable FormField reason) {
		String path = "/posts/" + post.id();
		return this.frames.withForms(request.exchange(), Message.of("report.title"), viewer)
			.flatMap((frame) -> HtmlResponses.page(response, this.page,
					new View(frame, post.html(), post.hidden(), path, LONGEST, reason)));
	}

	/**
	 * The page.
	 *
	 * @param post markup of the post; null when it is not shown
	 * @param hidden why it is not shown; null when it is
	 * @param path address of the post
	 * @param longest most characters of a reason
	 * @param reason the field of the form; null when the form was sent
	 */
	private record View(PageFrame frame, @Nullable String post, @Nullable Localized hidden, String path, int longest,
			@Nullable FormField reason) implements PageView {
	}

	/**
	 * The post that is reported. Somebody whom the viewer has blocked can be reported,
	 * without showing what they wrote.
	 */
	private record ReportedPost(String id, @Nullable String html, @Nullable Localized hidden) {

		static ReportedPost of(ViewerAwarePageReader.Read<RenderedPost> read) {
			Post post = read.page().post();
			return read.hidden().blocked().contains(post.authorId())
					? new ReportedPost(post.id(), null, Message.of("post.blocked", post.author()))
					: new ReportedPost(post.id(), read.page().html(), null);
		}

	}

}
