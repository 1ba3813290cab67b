package live.retwis.account;

import java.util.List;
import java.util.Set;

import live.retwis.guard.GuardedWrites;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Ends every session of a user. Its one commit is the script that moves the auth
 * generation on, while the lease guards the user; the sessions made under an older one
 * are over from that moment, and their keys only rubbish.
 */
@Component
class AuthRotation implements IntentFinisher {

	private static final LuaScript ROTATE = LuaScript.named("rotate-auth");

	private final DataNode data;

	private final UserRepository users;

	private final Sessions sessions;

	private final CommitLog log;

	private final GuardedWrites guard;

	AuthRotation(DataNode data, UserRepository users, Sessions sessions, CommitLog log, GuardedWrites guard) {
		this.data = data;
		this.users = users;
		this.sessions = sessions;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Under the user's lock {@code rotate-auth.lua}, then DEL of the session's key and an
	 * entry in the log. Without the lock only this session ends, unless the generation
	 * has moved on all the same.
	 * @return which sessions are over
	 */
	Mono<Ended> rotate(Session session) {
		String userId = session.viewer().id();
		String key = Keys.user(userId);
		Intent intent = Intent.of(Intent.Kind.ROTATION, userId, session.generation());
		return this.guard.write(intent, key,
				(lease) -> this.data.run(ROTATE, List.of(key, Keys.fence(key)), session.generation(), lease.owner()),
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

	/** The streams of the user end on every instance, if the sessions are over. */
	@Override
	public Mono<Void> finish(Intent intent) {
		return hasMovedOn(intent.subject(), intent.detail()).flatMap((moved) -> moved ? tell(intent) : Mono.empty());
	}

	/** Which sessions are over. */
	enum Ended {

		/** Every one of the user. */
		EVERYWHERE,
		/** Only the one that asked: too few lock nodes answer to end the others. */
		HERE

	}

}
