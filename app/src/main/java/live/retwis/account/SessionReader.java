package live.retwis.account;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

import live.retwis.account.SessionLastSeenRecorder.Seen;
import live.retwis.redis.BestEffortReads;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.web.HtmlResponses;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Repository;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sessions: {@code auth:{sha-256 of the token}} holds the user id and the auth generation
 * under which the session was made. A session is valid only while {@code user:{id}} has
 * the same generation. This is the double check of Retwis, in which the user's field is
 * authoritative. Sessions are never cached.
 */
@Repository
public class SessionReader implements Viewers {

	/** Name of the attribute that has a session which was found ahead. */
	private static final String AHEAD = SessionReader.class.getName() + ".ahead";

	private final DataNodeCommands data;

	private final VisitRecorder visits;

	private final SessionLastSeenRecorder recorder;

	private final UserSessionsRepository list;

	private final UnreadNotificationCounter notifications;

	SessionReader(DataNodeCommands data, VisitRecorder visits, SessionLastSeenRecorder recorder,
			UserSessionsRepository list, UnreadNotificationCounter notifications) {
		this.data = data;
		this.visits = visits;
		this.recorder = recorder;
		this.list = list;
		this.notifications = notifications;
	}

	/** The user id in the request's cookie, without any check. */
	public static Optional<String> claimedUserId(ServerWebExchange exchange) {
		return SessionCookie.of(exchange).map(SessionCookie::userId);
	}

	/** The request's session; empty when there is none or it is over. */
	public Mono<Session> find(ServerWebExchange exchange) {
		return CommandRecorderContext.fromFuture(() -> read(exchange));
	}

	/**
	 * Like {@link #find}, begun at once. It is null when there is none or it is over.
	 * Call it on behalf of the request, see {@link CommandRecorderContext}.
	 */
	public CompletableFuture<@Nullable Session> read(ServerWebExchange exchange) {
		Optional<SessionCookie> cookie = SessionCookie.of(exchange);
		return cookie.isEmpty() ? CompletableFuture.completedFuture(null)
				: read(exchange, cookie.get(), cookie.get().tokenHash());
	}

	private CompletableFuture<@Nullable Session> read(ServerWebExchange exchange, SessionCookie cookie,
			String tokenHash) {
		Session ahead = (Session) exchange.getAttributes().remove(AHEAD);
		CompletableFuture<@Nullable Session> found = (ahead != null && ahead.tokenHash().equals(tokenHash))
				? CompletableFuture.completedFuture(ahead) : read(cookie, tokenHash, hasBadge(exchange));
		return found.thenApply((session) -> {
			if (session != null) {
				this.recorder.seen(exchange, session);
			}
			return session;
		});
	}

	@Override
	public Mono<Viewer> ahead(ServerWebExchange exchange) {
		return find(exchange).doOnNext((session) -> exchange.getAttributes().put(AHEAD, session)).map(Session::viewer);
	}

	/**
	 * Whether the answer is a page, which has the number of unread notifications. Most
	 * forms lead to another page. The few that are answered with a page ask for the
	 * number by {@link #withUnread}.
	 */
	private static boolean hasBadge(ServerWebExchange exchange) {
		return !exchange.getRequest().getMethod().equals(HttpMethod.POST)
				&& HtmlResponses.wantsPage(exchange.getRequest().getHeaders());
	}

	/**
	 * GET {@code auth:{sha}}, HMGET {@code user:{id}} auth, username, active, and for a
	 * page the number of unread notifications, all in one round trip. The number is
	 * mostly in the cache. It is unknown when its node is away or slow. It is asked for
	 * first, so that it is usually there when the rest is.
	 */
	private CompletableFuture<@Nullable Session> read(SessionCookie cookie, String tokenHash, boolean badge) {
		CompletableFuture<Optional<Long>> unread = badge ? unread(cookie.userId())
				: CompletableFuture.completedFuture(Optional.empty());
		CompletableFuture<@Nullable Session> session = this.data.sendGet(Keys.session(tokenHash))
			.thenCombine(this.data.sendHmget(Keys.user(cookie.userId()), "auth", "username", "active"),
					(stored, fields) -> check(cookie, tokenHash, stored, fields));
		return BestEffortReads.join(session, unread, Optional.empty(),
				(valid, count) -> (valid != null) ? valid.with(count) : null);
	}

	private CompletableFuture<Optional<Long>> unread(String userId) {
		return this.notifications.count(userId).thenApply(Optional::of);
	}

	@Override
	public Mono<Viewer> withUnread(Viewer viewer) {
		return CommandRecorderContext
			.fromFuture(() -> BestEffortReads.join(CompletableFuture.completedFuture(viewer), unread(viewer.id()),
					Optional.empty(), (one, count) -> Viewer.of(one.id(), one.username(), count)))
			.onErrorReturn(viewer);
	}

	private @Nullable Session check(SessionCookie cookie, String tokenHash, @Nullable String stored,
			Map<String, String> fields) {
		String generation = fields.get("auth");
		String username = fields.get("username");
		if (stored == null || generation == null || username == null
				|| !stored.equals(cookie.userId() + " " + generation)) {
			return null;
		}
		this.visits.seen(cookie.userId(), fields.get("active"));
		return new Session(new Viewer(cookie.userId(), username), generation, tokenHash);
	}

	@Override
	public Mono<Viewer> of(ServerWebExchange exchange) {
		return find(exchange).map(Session::viewer);
	}

	@Override
	public Optional<String> sessionSecret(ServerWebExchange exchange) {
		return SessionCookie.of(exchange).map(SessionCookie::token);
	}

	/**
	 * The viewer, or an empty value if nobody is logged in. For pages that everybody may
	 * see.
	 */
	public Mono<Optional<Viewer>> optional(ServerWebExchange exchange) {
		return of(exchange).singleOptional();
	}

	/**
	 * Answers a signed-in user. Others sign in first, and come back to this address.
	 * @param answer empty when the session is over meanwhile
	 */
	public Mono<ServerResponse> signedIn(ServerRequest request, Function<Session, Mono<ServerResponse>> answer) {
		return find(request.exchange()).flatMap(answer).switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	/**
	 * Answers a form of a signed-in user.
	 * @param page the page that had the form, to which others come back
	 */
	public Mono<ServerResponse> signedIn(ServerRequest request, String page,
			Function<Session, Mono<ServerResponse>> answer) {
		return find(request.exchange()).flatMap(answer)
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, page)));
	}

	/** The same for a form whose fields are needed. */
	public Mono<ServerResponse> signedIn(ServerRequest request, String page,
			BiFunction<Session, SubmittedForm, Mono<ServerResponse>> answer) {
		return signedIn(request, page,
				(session) -> SubmittedForm.of(request).flatMap((sent) -> answer.apply(session, sent)));
	}

	/** The sessions of the user who asks, with the asking one, the latest seen first. */
	Mono<List<StoredSession>> list(ServerWebExchange exchange, Session session) {
		String userId = session.viewer().id();
		return this.recorder.note(new Seen(userId, session.tokenHash(), session.generation(), UserAgent.of(exchange)))
			.then(this.list.valid(userId, session.generation()));
	}

	/** The same for the file with the user's own data. */
	public Mono<List<ExportedSession>> export(ServerWebExchange exchange, Session session) {
		return list(exchange, session).map((listed) -> listed.stream().map(ExportedSession::of).toList());
	}

}
