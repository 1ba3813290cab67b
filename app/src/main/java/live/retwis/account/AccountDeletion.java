package live.retwis.account;

import java.util.Set;

import live.retwis.locking.GuardedWrites;
import live.retwis.locks.LeaseExpired;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.stereotype.Component;

/**
 * Deletes an account. The commit is a single script that marks the user as deleted while
 * a lease guards the user. From then on the user does not exist and has no sessions. The
 * workers remove the rest of the data when they read the log entry.
 */
@Component
public class AccountDeletion implements IntentRecovery {

	private final AccountStateRepository accounts;

	private final SessionLifecycle sessions;

	private final PasswordConfirmation passwords;

	private final DataClock clock;

	private final CommitLog log;

	private final GuardedWrites guard;

	AccountDeletion(AccountStateRepository accounts, SessionLifecycle sessions, PasswordConfirmation passwords,
			DataClock clock, CommitLog log, GuardedWrites guard) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.passwords = passwords;
		this.clock = clock;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Deletes the account of a session, if the password is right.
	 * @return the outcome; {@link PasswordGuessLimit.TooManyGuessesException} when the
	 * password is not checked
	 */
	Mono<Outcome> delete(Session session, String password) {
		return this.passwords.isRight(session, password)
			.flatMap((right) -> right ? close(session) : Mono.just(Outcome.WRONG_PASSWORD))
			.defaultIfEmpty(Outcome.SIGNED_OUT);
	}

	/**
	 * Deletes an account again, under the user's lock. On a cluster the log may have a
	 * deletion that a fail-over of another node has lost, and its user was told that the
	 * account is deleted. It can be repeated. Fails with an error for which
	 * {@link RedisErrorClassifier#isAway} is true when the lock cannot be had now, or
	 * does not guard the user any more.
	 */
	public Mono<Void> repeat(String userId) {
		return this.clock.millis()
			.flatMap((now) -> this.guard.repairNow(Keys.user(userId),
					(lease) -> this.accounts.close(userId, lease, now)))
			.onErrorMap(LockException.class, (missed) -> new QueryTimeoutException("the user is locked", missed))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(this.accounts.isGone(userId).filter(Boolean::booleanValue))
			.switchIfEmpty(Mono.error(() -> new QueryTimeoutException("the lease is over")))
			.then();
	}

	private Mono<Outcome> close(Session session) {
		String userId = session.viewer().id();
		Intent intent = Intent.of(Intent.Kind.CLOSING, userId, session.generation());
		InDoubtCommitResolver sent = new InDoubtCommitResolver();
		return this.clock.millis()
			.flatMap((now) -> this.guard.write(intent, Keys.user(userId),
					(lease) -> sent.send(this.accounts.close(session, lease, now)),
					(closed) -> end(session, intent, sent, closed)));
	}

	private Mono<Outcome> end(Session session, Intent intent, InDoubtCommitResolver sent, Mono<Boolean> closed) {
		String userId = session.viewer().id();
		return closed.map((deleted) -> deleted ? Outcome.DELETED : Outcome.SIGNED_OUT)
			.onErrorResume(LeaseExpired.class,
					(expired) -> this.accounts.isGone(userId).map((gone) -> gone ? Outcome.DELETED : Outcome.PAUSED))
			.onErrorResume(RedisErrorClassifier::isAway,
					(away) -> sent.requireMade(this.accounts.isGone(userId), away).thenReturn(Outcome.DELETED))
			.onErrorResume(LockException.class, (missed) -> Mono.just(Outcome.PAUSED))
			.defaultIfEmpty(Outcome.PAUSED)
			.flatMap((outcome) -> (outcome == Outcome.DELETED) ? tell(session, intent) : Mono.just(outcome));
	}

	/**
	 * Writes the log entry. Fails when a fail-over has lost the deletion meanwhile. If
	 * the data node stays away, the user is told that the account is deleted, and an
	 * intent makes that true.
	 */
	private Mono<Outcome> tell(Session session, Intent intent) {
		String userId = session.viewer().id();
		Intent rest = Intent.of(Intent.Kind.CLOSED, userId, session.generation());
		InDoubtCommitResolver closing = new InDoubtCommitResolver();
		return closing.send(this.sessions.close(session))
			.thenReturn(true)
			.onErrorResume(RedisErrorClassifier::isAway,
					(away) -> closing.requireKept(this.accounts.isGone(userId), away))
			.flatMap((there) -> this.guard.conclude(intent, rest,
					there ? this.log.accountClosed(intent, userId)
							: Mono.error(() -> new QueryTimeoutException("The data node stays away"))))
			.thenReturn(Outcome.DELETED);
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.CLOSING, Intent.Kind.CLOSED);
	}

	/**
	 * If the account is deleted, writes the log entry, so that the workers remove the
	 * rest. An account whose user was told that it is deleted is deleted again first if a
	 * fail-over has lost that.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String userId = intent.subject();
		Mono<Void> told = this.accounts.ifGone(userId, this.log.accountClosed(intent, userId).then());
		return (intent.kind() != Intent.Kind.CLOSED) ? told
				: this.accounts.isGone(userId).flatMap((gone) -> gone ? Mono.empty() : repeat(userId)).then(told);
	}

	/** Outcomes of a request to delete an account. */
	enum Outcome {

		/** The account is deleted. */
		DELETED,
		/** Nothing is deleted, because the password is wrong. */
		WRONG_PASSWORD,
		/** Nothing is deleted, because the session is over. */
		SIGNED_OUT,
		/**
		 * Nothing is deleted, because too few lock nodes answer, or the user's key is
		 * locked.
		 */
		PAUSED

	}

}
