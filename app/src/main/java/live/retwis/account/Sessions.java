package live.retwis.account;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
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

	private final DataNode data;

	private final VisitRecorder visits;

	private final ReactiveStringRedisTemplate redis;

	Sessions(DataNode data, VisitRecorder visits, ReactiveStringRedisTemplate redis) {
		this.data = data;
		this.visits = visits;
		this.redis = redis;
	}

	/** The user id in the request's cookie, without any check. */
	public static Optional<String> claimedUserId(ServerWebExchange exchange) {
		return SessionCookie.of(exchange).map(SessionCookie::userId);
	}

	/** The request's session; empty when there is none or it is over. */
	public Mono<Session> find(ServerWebExchange exchange) {
		return Mono.justOrEmpty(SessionCookie.of(exchange)).flatMap(this::find);
	}

	/**
	 * GET {@code auth:{sha}} and HMGET {@code user:{id}} auth, username, active, in one
	 * round trip.
	 */
	private Mono<Session> find(SessionCookie cookie) {
		String tokenHash = cookie.tokenHash();
		return Mono
			.zip(this.data.get(Keys.session(tokenHash)),
					this.data.hmget(Keys.user(cookie.userId()), "auth", "username", "active"),
					(stored, fields) -> check(cookie, tokenHash, stored, fields))
			.flatMap(Mono::justOrEmpty);
	}

	private Optional<Session> check(SessionCookie cookie, String tokenHash, String stored,
			List<@Nullable String> fields) {
		String generation = fields.get(0);
		String username = fields.get(1);
		if (generation == null || username == null || !stored.equals(cookie.userId() + " " + generation)) {
			return Optional.empty();
		}
		this.visits.seen(cookie.userId(), fields.get(2));
		return Optional.of(new Session(new Viewer(cookie.userId(), username), generation, tokenHash));
	}

	@Override
	public Mono<Viewer> of(ServerWebExchange exchange) {
		return find(exchange).map(Session::viewer);
	}

	/**
	 * The viewer, or an empty value if nobody is logged in. For pages that everybody may
	 * see.
	 */
	public Mono<Optional<Viewer>> optional(ServerWebExchange exchange) {
		return of(exchange).map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	/** SET {@code auth:{sha}}, with a year to live. */
	Mono<SessionCookie> open(String userId, String generation) {
		SessionCookie cookie = SessionCookie.create(userId);
		return this.redis.opsForValue()
			.set(Keys.session(cookie.tokenHash()), userId + " " + generation, SessionCookie.LIFE)
			.thenReturn(cookie);
	}

	/** DEL {@code auth:{sha}}: ends this session only. */
	Mono<Void> close(Session session) {
		return this.redis.delete(Keys.session(session.tokenHash())).then();
	}

}
