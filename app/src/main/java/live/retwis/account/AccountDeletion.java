package live.retwis.account;

import java.time.Duration;
import java.util.Set;

import live.retwis.guard.GuardedWrites;
import live.retwis.locks.LeaseExpired;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.redis.Availability;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Deletes an account. Its one commit is the script that marks the user while the lease
 * guards it: from then on there is no such user, and no session. The workers clear away
 * the rest when the log tells them.
 */
@Component
class AccountDeletion implements IntentFinisher {

	/** About two seconds in all, for a connection that breaks off. */
	private static final int TRIES = 6;

	private static final Duration FIRST_RETRY = Duration.ofMillis(50);

	private static final Duration LAST_RETRY = Duration.ofMillis(800);

	private final UserRepository users;

	private final Sessions sessions;

	private final PasswordCheck passwords;

	private final DataClock clock;

	private final CommitLog log;

	private final GuardedWrites guard;

	AccountDeletion(UserRepository users, Sessions sessions, PasswordCheck passwords, DataClock clock, CommitLog log,
			GuardedWrites guard) {
		this.users = users;
		this.sessions = sessions;
		this.passwords = passwords;
		this.clock = clock;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Deletes the account of a session, for whoever knows its password.
	 * @return what became of it; {@link Login.TooManyTries} when the password is not even
	 * looked at
	 */
	Mono<Outcome> delete(ServerWebExchange exchange, Session session, String password) {
		return this.passwords.isRight(exchange, session.viewer(), password)
			.flatMap((right) -> right ? close(session) : Mono.just(Outcome.WRONG_PASSWORD))
			.defaultIfEmpty(Outcome.SIGNED_OUT);
	}

	private Mono<Outcome> close(Session session) {
		String userId = session.viewer().id();
		Intent intent = Intent.of(Intent.Kind.CLOSING, userId, session.generation());
		return this.clock.millis()
			.flatMap((now) -> this.guard.write(intent, Keys.user(userId),
					(lease) -> this.users.close(session, lease, now), (closed) -> end(session, intent, closed)));
	}

	private Mono<Outcome> end(Session session, Intent intent, Mono<Boolean> closed) {
		String userId = session.viewer().id();
		return closed.map((deleted) -> deleted ? Outcome.DELETED : Outcome.SIGNED_OUT)
			.onErrorResume(LeaseExpired.class,
					(expired) -> this.users.isGone(userId).map((gone) -> gone ? Outcome.DELETED : Outcome.PAUSED))
			.onErrorResume(Availability::isAway,
					(away) -> this.users.isGone(userId)
						.retryWhen(soon())
						.flatMap((gone) -> gone ? Mono.just(Outcome.DELETED) : Mono.error(away)))
			.onErrorResume(LockException.class, (missed) -> Mono.just(Outcome.PAUSED))
			.defaultIfEmpty(Outcome.PAUSED)
			.flatMap((outcome) -> (outcome == Outcome.DELETED) ? told(session, intent).thenReturn(outcome)
					: Mono.just(outcome));
	}

	/** What cannot be told now is told by the intent. */
	private Mono<Void> told(Session session, Intent intent) {
		return this.sessions.close(session)
			.then(this.log.accountClosed(intent, session.viewer().id()))
			.then()
			.onErrorComplete(Availability::isAway);
	}

	private static Retry soon() {
		return Retry.backoff(TRIES, FIRST_RETRY).maxBackoff(LAST_RETRY).filter(Availability::isAway);
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.CLOSING);
	}

	/** The workers clear the rest away, if the account is deleted. */
	@Override
	public Mono<Void> finish(Intent intent) {
		return this.users.isGone(intent.subject())
			.flatMap((gone) -> gone ? this.log.accountClosed(intent, intent.subject()).then() : Mono.empty());
	}

	/** What became of a wish to delete an account. */
	enum Outcome {

		/** It is deleted. */
		DELETED,
		/** Nothing is: somebody else asks. */
		WRONG_PASSWORD,
		/** Nothing is: the session is over. */
		SIGNED_OUT,
		/** Nothing is: too few lock nodes answer, or the user's key is locked. */
		PAUSED

	}

}
