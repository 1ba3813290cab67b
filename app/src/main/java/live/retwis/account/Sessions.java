package live.retwis.account;

import java.util.List;
import java.util.Optional;

import live.retwis.account.SessionRecorder.Seen;
import live.retwis.redis.BestEffort;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.function.Tuple2;

import org.springframework.stereotype.Repository;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sessions: {@code auth:{sha-256 of the token}} holds the user id and the auth generation
 * under which the session was made. A session is valid only while {@code user:{id}} has
 * the same generation. This is the double check of Retwis, in which the user's field is
 * authoritative. Sessions are never cached.
 */
@Repository
public class Sessions implements Viewers {

	/** Name of the attribute that has a session which was found ahead. */
	private static final String AHEAD = Sessions.class.getName() + ".ahead";

	private final DataNode data;

	private final VisitRecorder visits;

	private final SessionRecorder recorder;

	private final SessionList list;

	private final UnreadNotifications notifications;

	Sessions(DataNode data, VisitRecorder visits, SessionRecorder recorder, SessionList list,
			UnreadNotifications notifications) {
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
		return Mono.defer(() -> Mono.justOrEmpty(SessionCookie.of(exchange))).flatMap((cookie) -> {
			Session ahead = (Session) exchange.getAttributes().remove(AHEAD);
			return (ahead != null && ahead.tokenHash().equals(cookie.tokenHash())) ? Mono.just(ahead) : find(cookie);
		}).doOnNext((session) -> this.recorder.seen(exchange, session));
	}

	@Override
	public Mono<Viewer> ahead(ServerWebExchange exchange) {
		return find(exchange).doOnNext((session) -> exchange.getAttributes().put(AHEAD, session)).map(Session::viewer);
	}

	/**
	 * GET {@code auth:{sha}}, HMGET {@code user:{id}} auth, username, active, and the
	 * number of unread notifications, in one round trip. The number is 0 when its node is
	 * away or slow.
	 */
	private Mono<Session> find(SessionCookie cookie) {
		String tokenHash = cookie.tokenHash();
		Mono<Tuple2<String, List<@Nullable String>>> session = Mono.zip(this.data.get(Keys.session(tokenHash)),
				this.data.hmget(Keys.user(cookie.userId()), "auth", "username", "active"));
		return BestEffort.zip(session, (badge) -> badge.read(this.notifications.count(cookie.userId()), 0L))
			.flatMap((read) -> Mono
				.justOrEmpty(check(cookie, tokenHash, read.getT1().getT1(), read.getT1().getT2(), read.getT2())));
	}

	private Optional<Session> check(SessionCookie cookie, String tokenHash, String stored,
			List<@Nullable String> fields, long unread) {
		String generation = fields.get(0);
		String username = fields.get(1);
		if (generation == null || username == null || !stored.equals(cookie.userId() + " " + generation)) {
			return Optional.empty();
		}
		this.visits.seen(cookie.userId(), fields.get(2));
		return Optional.of(new Session(Viewer.of(cookie.userId(), username, unread), generation, tokenHash));
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
		return of(exchange).map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	/** The sessions of the user who asks, with the asking one, the latest seen first. */
	Mono<List<StoredSession>> list(ServerWebExchange exchange, Session session) {
		String userId = session.viewer().id();
		return this.recorder.note(new Seen(userId, session.tokenHash(), session.generation(), Device.of(exchange)))
			.then(this.list.valid(userId, session.generation()));
	}

}
