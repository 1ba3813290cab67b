package live.retwis.account;

import java.util.List;

import live.retwis.redis.CommitLog;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Ends every session of a user. Its one commit is the script that moves the auth
 * generation on; the sessions made under an older one are over from that moment, and
 * their keys only rubbish.
 */
@Component
class AuthRotation {

	private static final LuaScript ROTATE = LuaScript.named("rotate-auth");

	private final DataNode data;

	private final Sessions sessions;

	private final CommitLog log;

	AuthRotation(DataNode data, Sessions sessions, CommitLog log) {
		this.data = data;
		this.sessions = sessions;
		this.log = log;
	}

	/** {@code rotate-auth.lua}, DEL of the session's key, an entry in the log. */
	Mono<Void> rotate(Session session) {
		String userId = session.viewer().id();
		return this.data.run(ROTATE, List.of(Keys.user(userId)), session.generation())
			.then(this.sessions.close(session))
			.then(this.log.sessionsEnded(userId))
			.then();
	}

}
