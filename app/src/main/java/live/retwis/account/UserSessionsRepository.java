package live.retwis.account;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.web.Viewer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code sessions:{user}}: the sessions of a user by public id, so that the user can see
 * and end them. It does not decide who is logged in: that is {@code auth:{sha}} alone. A
 * session that is missing here, such as one of an older release, is added when it is seen
 * the next time.
 */
@Repository
class UserSessionsRepository {

	/** Most sessions of one user. */
	static final int MOST = 20;

	/**
	 * Usually a log-out that was sent before the answer to a renewal was there comes in
	 * this time. A later one ends no session.
	 */
	private static final Duration RENEWED = Duration.ofMinutes(1);

	private static final LuaScript KEEP = LuaScript.named("keep-session");

	private static final LuaScript END = LuaScript.named("end-session");

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	UserSessionsRepository(ReactiveStringRedisTemplate redis, DataClock clock) {
		this.redis = redis;
		this.clock = clock;
	}

	/** SET {@code auth:{sha}}, with a year to live. */
	Mono<Void> begin(String userId, String tokenHash, String generation) {
		return this.redis.opsForValue()
			.set(Keys.session(tokenHash), userId + " " + generation, SessionCookie.LIFE)
			.then();
	}

	/**
	 * SET {@code auth:{sha}} XX: a session that is over by a renewal names the session
	 * that takes its place, for a minute.
	 * @return false when its key is gone: its user may have ended it at another browser,
	 * or logged out in another tab. If it ends a moment later, by a log-out or in the
	 * list, the session in its place ends, too
	 */
	Mono<Boolean> renew(Session session, String tokenHash) {
		return this.redis.opsForValue()
			.setIfPresent(Keys.session(session.tokenHash()),
					session.viewer().id() + " " + session.generation() + " " + tokenHash, RENEWED);
	}

	/**
	 * {@code keep-session.lua}: adds a session, or notes that it was seen. A session that
	 * was not in the list may have ended since it was seen. In a cluster its key is on
	 * another node than the list, so no script can look at both. Whoever ends a session
	 * deletes its key first and then takes it out of the list. So the key is looked for
	 * after the session was added (EXISTS {@code auth:{sha}}), and without it the session
	 * is taken out again (HDEL).
	 * @return token hashes of sessions that are to be ended, because they are over or
	 * there are too many. They are in the list until they are ended
	 */
	Mono<List<String>> keep(String userId, String tokenHash, String generation, UserAgent userAgent) {
		return this.clock.millis()
			.flatMap((now) -> KEEP.run(this.redis, List.of(Keys.sessionsOf(userId)), SessionCookie.publicId(tokenHash),
					tokenHash, generation, Long.toString(now), userAgent.stored(), Integer.toString(MOST),
					Long.toString(SessionCookie.LIFE.toSeconds())))
			.delayUntil((answer) -> answer.get(0).equals("1") ? unlistIfOver(userId, tokenHash) : Mono.empty())
			.map((answer) -> answer.subList(1, answer.size()));
	}

	private Mono<Long> unlistIfOver(String userId, String tokenHash) {
		return isThere(tokenHash).flatMap((there) -> there ? Mono.empty() : unlist(userId, tokenHash));
	}

	/** EXISTS {@code auth:{sha}}. */
	Mono<Boolean> isThere(String tokenHash) {
		return this.redis.hasKey(Keys.session(tokenHash));
	}

	/** HDEL. */
	private Mono<Long> unlist(String userId, String tokenHash) {
		return this.redis.opsForHash().remove(Keys.sessionsOf(userId), SessionCookie.publicId(tokenHash));
	}

	/**
	 * HGETALL and GET of each session: those that are valid, the latest seen first.
	 * @param generation the user's auth generation
	 */
	Mono<List<StoredSession>> valid(String userId, String generation) {
		return all(userId).filter((session) -> session.generation().equals(generation))
			.flatMap((session) -> this.redis.opsForValue()
				.get(Keys.session(session.tokenHash()))
				.map((stored) -> session), MOST)
			.sort(Comparator.comparingLong(StoredSession::seen).reversed())
			.collectList();
	}

	private Flux<StoredSession> all(String userId) {
		return this.redis.<String, String>opsForHash()
			.entries(Keys.sessionsOf(userId))
			.map((entry) -> StoredSession.parse(entry.getKey(), entry.getValue()))
			.flatMap(Mono::justOrEmpty);
	}

	/** HMGET: the session with this public id, valid or not. */
	Mono<StoredSession> find(String userId, String id) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.sessionsOf(userId), id)
			.map((stored) -> StoredSession.parse(id, stored))
			.flatMap(Mono::justOrEmpty);
	}

	/**
	 * {@code end-session.lua}, which ends the session, then HDEL.
	 * @return the session that has just taken its place by a renewal; empty for none
	 */
	Mono<Session> end(String userId, String tokenHash) {
		return END.run(this.redis, List.of(Keys.session(tokenHash)))
			.delayUntil((answer) -> unlist(userId, tokenHash))
			.flatMap((answer) -> Mono.justOrEmpty(answer.stream().findFirst()))
			.map((renewed) -> renewed.split(" "))
			.filter((renewed) -> renewed[0].equals(userId))
			.map((renewed) -> new Session(new Viewer(userId, ""), Session.after(renewed[1]), renewed[2]));
	}

	/** {@link #end} of each session, and DEL of the list: the account is deleted. */
	Mono<Void> remove(String userId) {
		return all(userId).concatMap((session) -> end(userId, session.tokenHash()))
			.then(this.redis.delete(Keys.sessionsOf(userId)))
			.then();
	}

}
