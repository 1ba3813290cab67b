package live.retwis.account;

import java.util.List;

import live.retwis.guard.Guard;
import live.retwis.locks.LockException;
import live.retwis.redis.CommitLog;
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
class AuthRotation {

	private static final LuaScript ROTATE = LuaScript.named("rotate-auth");

	private final DataNode data;

	private final UserRepository users;

	private final Sessions sessions;

	private final CommitLog log;

	private final Guard guard;

	AuthRotation(DataNode data, UserRepository users, Sessions sessions, CommitLog log, Guard guard) {
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
		String key = Keys.user(session.viewer().id());
		return this.guard
			.with(key,
					(lease) -> this.data.run(ROTATE, List.of(key, Keys.fence(key)), session.generation(),
							lease.owner()))
			.map((answer) -> !answer.isEmpty())
			.onErrorResume(LockException.class, (missed) -> Mono.just(false))
			.flatMap((moved) -> moved ? Mono.just(true) : hasMovedOn(session))
			.flatMap((moved) -> this.sessions.close(session).then(moved ? told(session) : Mono.just(Ended.HERE)));
	}

	private Mono<Boolean> hasMovedOn(Session session) {
		return this.users.credentials(session.viewer().id())
			.map((now) -> !now.generation().equals(session.generation()))
			.defaultIfEmpty(true);
	}

	private Mono<Ended> told(Session session) {
		return this.log.sessionsEnded(session.viewer().id()).thenReturn(Ended.EVERYWHERE);
	}

	/** Which sessions are over. */
	enum Ended {

		/** Every one of the user. */
		EVERYWHERE,
		/** Only the one that asked: too few lock nodes answer to end the others. */
		HERE

	}

}
