package live.retwis.account;

import java.util.Set;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Ends a single session of a user. Its key is deleted, then the log entry ends the user's
 * streams on every instance. Browsers whose session goes on open theirs again.
 */
@Component
class SingleSessionRevocation implements IntentRecovery {

	private final UserSessionsRepository list;

	private final Intents intents;

	private final CommitLog log;

	SingleSessionRevocation(UserSessionsRepository list, Intents intents, CommitLog log) {
		this.list = list;
		this.intents = intents;
		this.log = log;
	}

	/**
	 * Ends a session. Ending it again is harmless, so that is tried when the answer is
	 * lost.
	 */
	Mono<Void> end(String userId, String tokenHash) {
		Intent intent = Intent.repeatable(Intent.Kind.SESSION_END, userId, tokenHash);
		Mono<Void> end = this.intents.run(intent, Intents.SHORT, finish(intent));
		return end.onErrorResume(RedisErrorClassifier::isAway, (away) -> new InDoubtCommitResolver().ask(end, away));
	}

	/**
	 * Ends the session with this public id, if it is one of the user's.
	 * @return the session that is over; empty when it is none of the user's
	 */
	Mono<Session> endListed(String userId, String id) {
		return this.list.find(userId, id)
			.map((listed) -> new Session(new Viewer(userId, ""), listed.generation(), listed.tokenHash()))
			.delayUntil((session) -> end(userId, session.tokenHash()));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.SESSION_END);
	}

	@Override
	public Mono<Void> finish(Intent intent) {
		return this.list.end(intent.subject(), intent.detail())
			.then(this.log.sessionsEnded(intent, intent.subject()))
			.then();
	}

}
