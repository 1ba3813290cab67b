package live.retwis.post;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import live.retwis.account.LoginForm;
import live.retwis.account.LoginFormProcessor;
import live.retwis.account.LoginFormProcessor.LoginRefusal;
import live.retwis.account.SessionReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.log.LogAdmissionControl;
import live.retwis.post.PostMetrics.Result;
import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.NotConfirmedException;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.restriction.BlockedException;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.RetryAfter;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Handles writing posts. A form that cannot be accepted comes back with its text, even
 * when the data node is away. When it is sent again, it makes one post, whether or not
 * the first try has made it.
 */
@Component
class PostingHandler implements RouteContributor {

	private static final int RETRY_AFTER_SECONDS = 5;

	private static final Message OTHER_TEXT = Message.of("compose.other-text");

	private final ComposePage page;

	private final SessionReader sessions;

	private final LoginFormProcessor logins;

	private final RenderedPosts posts;

	private final Posting posting;

	private final ReplyPosting replies;

	private final PostMetrics metrics;

	private final RateLimiter limiter;

	PostingHandler(ComposePage page, SessionReader sessions, LoginFormProcessor logins, RenderedPosts posts,
			Posting posting, ReplyPosting replies, PostMetrics metrics, RateLimiter limiter) {
		this.page = page;
		this.sessions = sessions;
		this.logins = logins;
		this.posts = posts;
		this.posting = posting;
		this.replies = replies;
		this.metrics = metrics;
		this.limiter = limiter;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post("/posts", RateLimit.POSTS, this::post)
			.counting(RateLimit.LOGINS, RateLimit.WRONG_PASSWORDS, RateLimit.WRONG_PASSWORDS_BY_ADDRESS);
	}

	private Mono<ServerResponse> post(ServerRequest request) {
		return SubmittedForm.of(request).flatMap((sent) -> {
			ComposeView form = this.page.read(sent);
			ComposeView again = sent.get("username").isEmpty() ? form : form.with(LoginForm.of(sent));
			return DataNodeRetry
				.within(this.sessions.of(request.exchange()).flatMap((author) -> post(request, sent, author, form)))
				.switchIfEmpty(Mono.defer(() -> signIn(request, sent, form)))
				.onErrorResume(LogAdmissionControl.NotAdmittedException.class,
						(error) -> later(request, again, Result.BACKLOG, Message.of("compose.busy")))
				.onErrorResume(DataNodeFullException.class, (error) -> full(request, again))
				.onErrorResume(NotConfirmedException.class,
						(error) -> later(request, again, Result.UNCONFIRMED, Message.of("compose.unconfirmed")))
				.onErrorResume(RedisErrorClassifier::isAway,
						(error) -> later(request, again, Result.AWAY, Message.of("compose.away")));
		});
	}

	private Mono<ServerResponse> later(ServerRequest request, ComposeView form, Result result, Localized why) {
		this.metrics.count(result);
		return HtmlResponses.wantsJson(request) ? ProblemException.later(why, RETRY_AFTER_SECONDS)
				: this.page.show(request,
						ServerResponse.status(HttpStatus.SERVICE_UNAVAILABLE)
							.header(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS)),
						null, form.wrong(why));
	}

	/** Another status than that of what passes soon, so that no script tries again. */
	private Mono<ServerResponse> full(ServerRequest request, ComposeView form) {
		this.metrics.count(Result.MEMORY);
		Localized why = Message.of("compose.full");
		return HtmlResponses.wantsJson(request) ? ProblemException.of(HttpStatus.INSUFFICIENT_STORAGE, why) : this.page
			.show(request, ServerResponse.status(HttpStatus.INSUFFICIENT_STORAGE), null, form.wrong(why));
	}

	/**
	 * Handles a form whose session ended while the text was written. The text stays in
	 * the form, which now also asks for name and password. It is posted when they are
	 * right.
	 */
	private Mono<ServerResponse> signIn(ServerRequest request, SubmittedForm sent, ComposeView form) {
		if (HtmlResponses.wantsJson(request)) {
			return SignInRedirect.first(request);
		}
		Mono<LoginRefusal> refusal = sent.get("username").isEmpty() ? Mono.just(LoginFormProcessor.ask(form.next()))
				: this.logins.takeCounted(request.exchange(), sent);
		return refusal
			.flatMap((refused) -> this.page.show(request, refused.response(), null, form.with(refused.form())))
			.switchIfEmpty(Mono.defer(() -> this.sessions.of(request.exchange())
				.flatMap((author) -> postCounted(request, sent, author, form))));
	}

	/** The request was counted before its user was known, under the address. */
	private Mono<ServerResponse> postCounted(ServerRequest request, SubmittedForm sent, Viewer author,
			ComposeView form) {
		return this.limiter.take(RateLimit.POSTS, author.id())
			.flatMap((wait) -> wait.isZero() ? DataNodeRetry.within(Mono.defer(() -> post(request, sent, author, form)))
					: this.page.show(request,
							ServerResponse.status(HttpStatus.TOO_MANY_REQUESTS)
								.header(HttpHeaders.RETRY_AFTER, Long.toString(RetryAfter.seconds(wait))),
							author, form.wrong(RetryAfter.text(wait))));
	}

	/**
	 * Another user than the writer of the text may have signed in meanwhile, in another
	 * tab. Then the text is not that user's.
	 */
	private Mono<ServerResponse> post(ServerRequest request, SubmittedForm sent, Viewer author, ComposeView form) {
		if (!isBy(author, sent)) {
			return refuse(request, author, form.forAnother(), HttpStatus.CONFLICT,
					Message.of("compose.other-user", author.username()));
		}
		return (form.error() != null) ? refuse(request, author, form, form.error()) : post(request, author, form);
	}

	/**
	 * A form may say with {@code author} on whose page the text was written, and with
	 * {@code username} who is to log in.
	 */
	private static boolean isBy(Viewer author, SubmittedForm sent) {
		String writer = sent.get("author");
		String username = sent.get("username").strip();
		return (writer.isEmpty() || writer.equals(author.id()))
				&& (username.isEmpty() || username.equalsIgnoreCase(author.username()));
	}

	private Mono<ServerResponse> post(ServerRequest request, Viewer author, ComposeView form) {
		return replied(form)
			.flatMap((replied) -> (form.replyTo() != null && replied.isEmpty()) ? refuseReply(request, author, form)
					: post(request, author, form, replied.orElse(null)))
			.onErrorResume(Posting.DifferentTextException.class,
					(ex) -> HtmlResponses.wantsJson(request)
							? Mono
								.error(new ProblemException(HttpStatus.UNPROCESSABLE_CONTENT, OTHER_TEXT, "superseded"))
							: refuse(request, author, form.renewed(), OTHER_TEXT));
	}

	private Mono<ServerResponse> post(ServerRequest request, Viewer author, ComposeView form, @Nullable Post replied) {
		if (replied == null) {
			return this.posting.post(author, form.body(), null, form.once()).flatMap((id) -> made(request, form, id));
		}
		return this.replies.post(author, form.body(), replied, form.once())
			.flatMap((id) -> made(request, form, id))
			.onErrorResume(BlockedException.class,
					(blocked) -> refuse(request, author, form.renewed(), HttpStatus.FORBIDDEN,
							blocked.isByUser() ? Message.of("compose.unblock-first", replied.author())
									: Message.of("compose.blocked", replied.author())));
	}

	/**
	 * The reply may have been made before the other post was deleted. Then the form is
	 * answered as it was then.
	 */
	private Mono<ServerResponse> refuseReply(ServerRequest request, Viewer author, ComposeView form) {
		return this.posting.findMade(author, form.body(), form.replyTo(), form.once())
			.flatMap((made) -> made(request, form, made.postId()))
			.switchIfEmpty(
					Mono.defer(() -> refuse(request, author, form.renewed(), Message.of("compose.reply-deleted"))));
	}

	private Mono<Optional<Post>> replied(ComposeView form) {
		return Mono.justOrEmpty(form.replyTo())
			.flatMap(this.posts::find)
			.map((replied) -> Optional.of(replied.post()))
			.defaultIfEmpty(Optional.empty());
	}

	private Mono<ServerResponse> made(ServerRequest request, ComposeView form, String postId) {
		if (!HtmlResponses.wantsJson(request)) {
			return HtmlResponses.seeOther(form.next());
		}
		return this.posts.findAll(List.of(postId))
			.flatMap((made) -> ServerResponse.created(URI.create("/posts/" + postId))
				.bodyValue(new PostListPage(made).json()));
	}

	private Mono<ServerResponse> refuse(ServerRequest request, Viewer author, ComposeView form, Localized error) {
		return refuse(request, author, form, HttpStatus.UNPROCESSABLE_CONTENT, error);
	}

	private Mono<ServerResponse> refuse(ServerRequest request, Viewer author, ComposeView form, HttpStatus status,
			Localized error) {
		return HtmlResponses.wantsJson(request) ? ProblemException.of(status, error)
				: this.page.show(request, ServerResponse.status(status), author, form.wrong(error));
	}

}
