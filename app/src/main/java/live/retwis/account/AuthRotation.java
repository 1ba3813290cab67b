package live.retwis.account;

import java.util.List;
import java.util.Set;

import live.retwis.guard.GuardedWrites;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Ends all sessions of a user. The commit is a single script that increments the user's
 * auth generation while a lease guards the user. From that moment, sessions made under an
 * older generation are over, and their keys are of no use.
 */
@Component
class AuthRotation implements IntentFinisher {

	private static final LuaScript ROTATE = LuaScript.named("rotate-auth");

	private final ReactiveStringRedisTemplate redis;

	private final UserRepository users;

	private final Sessions sessions;

	private final CommitLog log;

	private final GuardedWrites guard;

	AuthRotation(ReactiveStringRedisTemplate redis, UserRepository users, Sessions sessions, CommitLog log,
			GuardedWrites guard) {
		this.redis = redis;
		this.users = users;
		this.sessions = sessions;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Runs {@code rotate-auth.lua} under the user's lock, then DEL of the session's key,
	 * and writes a log entry. If the lock cannot be had, only this session ends, unless
	 * the generation has moved on anyway.
	 * @return which sessions are over
	 */
	Mono<Ended> rotate(Session session) {
		String userId = session.viewer().id();
		String key = Keys.user(userId);
		Intent intent = Intent.of(Intent.Kind.ROTATION, userId, session.generation());
		return this.guard.write(intent, key,
				(lease) -> ROTATE.run(this.redis, List.of(key, Keys.fence(key)), session.generation(), lease.owner()),
				(answered) -> answered.map((answer) -> !answer.isEmpty())
					.onErrorResume(LockException.class, (missed) -> Mono.just(false))
					.flatMap((moved) -> moved ? Mono.just(true) : hasMovedOn(userId, session.generation()))
					.flatMap((moved) -> this.sessions.close(session)
						.then(moved ? tell(intent).thenReturn(Ended.EVERYWHERE) : Mono.just(Ended.HERE))));
	}

	private Mono<Boolean> hasMovedOn(String userId, String generation) {
		return this.users.credentials(userId).map((now) -> !now.generation().equals(generation)).defaultIfEmpty(true);
	}

	private Mono<Void> tell(Intent intent) {
		return this.log.sessionsEnded(intent, intent.subject()).then();
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.ROTATION);
	}

	/**
	 * If the sessions are over, writes the log entry, so that every instance ends the
	 * user's streams.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		return hasMovedOn(intent.subject(), intent.detail()).flatMap((moved) -> moved ? tell(intent) : Mono.empty());
	}

	/** Which sessions are over. */
	enum Ended {

		/** All sessions of the user. */
		EVERYWHERE,
		/**
		 * Only the session that asked, because too few lock nodes answer to end the
		 * others.
		 */
		HERE

	}

}
