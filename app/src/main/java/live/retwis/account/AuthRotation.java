package live.retwis.account;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import live.retwis.locking.GuardedWrites;
import live.retwis.locks.LeaseExpired;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Ends all sessions of a user. The commit is a single script that increments the user's
 * auth generation while a lease guards the user. From that moment, sessions made under an
 * older generation are over, and their keys are of no use. A change of the password is
 * the same commit, and stores the new password with the generation.
 */
@Component
class AuthRotation implements IntentRecovery {

	private static final LuaScript ROTATE = LuaScript.named("rotate-auth");

	/** Between the generation and the mark in an intent. */
	private static final String BETWEEN = ":";

	private final ReactiveStringRedisTemplate redis;

	private final CredentialsRepository credentials;

	private final SessionLifecycle sessions;

	private final CommitLog log;

	private final GuardedWrites guard;

	AuthRotation(ReactiveStringRedisTemplate redis, CredentialsRepository credentials, SessionLifecycle sessions,
			CommitLog log, GuardedWrites guard) {
		this.redis = redis;
		this.credentials = credentials;
		this.sessions = sessions;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Runs {@code rotate-auth.lua} under the user's lock, then {@code end-session.lua},
	 * and writes a log entry. If the lock cannot be had, only this session ends, unless
	 * the generation has moved on anyway. If this session names the one in its place by
	 * then, that one ends in the same way.
	 * @return which sessions are over
	 */
	Mono<Ended> rotate(Session session) {
		Rotation rotation = Rotation.of(session, "");
		InDoubtCommitResolver sent = new InDoubtCommitResolver();
		Mono<Boolean> hasMovedOn = hasMovedOn(rotation.intent());
		return write(rotation, sent,
				(answered) -> answered.map((answer) -> !answer.isEmpty())
					.onErrorResume(LockException.class, (missed) -> Mono.just(false))
					.flatMap((moved) -> moved ? Mono.just(true) : hasMovedOn)
					.onErrorResume(RedisErrorClassifier::isAway, (away) -> sent.requireMade(hasMovedOn, away))
					.flatMap((moved) -> moved ? close(session, rotation.intent(), sent) : endHere(session)));
	}

	private Mono<Ended> endHere(Session session) {
		return this.sessions.end(session).then(rotateRenewed(session)).defaultIfEmpty(Ended.HERE);
	}

	/**
	 * If the data node goes away before this session is closed, a fail-over may have lost
	 * the rotation.
	 */
	private Mono<Ended> close(Session session, Intent intent, InDoubtCommitResolver sent) {
		Mono<Optional<Session>> closed = this.sessions.close(session).singleOptional();
		Mono<Optional<Session>> closedIfOver = hasMovedOn(intent).filter(Boolean::booleanValue)
			.flatMap((over) -> closed);
		return closed.onErrorResume(RedisErrorClassifier::isAway, (away) -> sent.ask(closedIfOver, away))
			.delayUntil((renewed) -> conclude(intent))
			.flatMap((renewed) -> Mono.justOrEmpty(renewed).flatMap(this::rotate).defaultIfEmpty(Ended.EVERYWHERE))
			.switchIfEmpty(Mono.defer(() -> endHere(session)));
	}

	/**
	 * {@link #rotate} of the session that has just taken the place of one that is over.
	 * That session may be about to begin. Only a rotation ends it then.
	 * @return empty when no session has taken its place
	 */
	Mono<Ended> rotateRenewed(Session over) {
		return this.sessions.close(over).flatMap(this::rotate);
	}

	/** {@link #rotate}, for a request whose session is over. */
	Mono<Ended> rotateRenewed(ServerWebExchange exchange) {
		return this.sessions.closeOver(exchange).flatMap(this::rotate).defaultIfEmpty(Ended.EVERYWHERE);
	}

	/**
	 * Runs {@code rotate-auth.lua} under the user's lock, opens a new session in place of
	 * this one, and writes a log entry. So all other sessions end, and this browser stays
	 * logged in.
	 * @param newPassword the new password, encoded; empty to keep the old one
	 * @return cookie of the new session; empty when the session was over;
	 * {@link RotationPausedException} when nothing has changed, because the lock could
	 * not be had; {@link NotRenewedException} when all sessions have ended, also this one
	 */
	Mono<SessionCookie> renew(ServerWebExchange exchange, Session session, String newPassword) {
		Rotation rotation = Rotation.of(session, newPassword);
		InDoubtCommitResolver sent = new InDoubtCommitResolver();
		return write(rotation, sent,
				(answered) -> answered.filter((answer) -> !answer.isEmpty())
					.map((answer) -> answer.get(0).equals("1"))
					.switchIfEmpty(Mono.error(RotationPausedException::new))
					.onErrorResume(LeaseExpired.class,
							(expired) -> new InDoubtCommitResolver().requireMade(isMade(rotation), expired))
					.onErrorResume(RedisErrorClassifier::isAway, (away) -> sent.requireMade(isMade(rotation), away))
					.onErrorMap(LockException.class, (missed) -> new RotationPausedException())
					.filter(Boolean::booleanValue)
					.flatMap((made) -> open(exchange, session, rotation).singleOptional()
						.flatMap((cookie) -> conclude(rotation.intent()).then(Mono.justOrEmpty(cookie)))
						.switchIfEmpty(newPassword.isEmpty() ? Mono.empty() : Mono.error(NotRenewedException::new))));
	}

	/**
	 * Opens the new session. Fails when a fail-over has lost the rotation meanwhile. If
	 * the data node stays away, nobody knows whether it has.
	 */
	private Mono<SessionCookie> open(ServerWebExchange exchange, Session session, Rotation rotation) {
		InDoubtCommitResolver opening = new InDoubtCommitResolver();
		return opening
			.send(rotation.newPassword().isEmpty() ? this.sessions.renew(exchange, session)
					: this.sessions.renewAlone(exchange, session))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> opening.requireKept(isMade(rotation), away)
				.flatMap((kept) -> Mono.error(new NotRenewedException(kept, away))));
	}

	private <T> Mono<T> write(Rotation rotation, InDoubtCommitResolver sent,
			Function<Mono<List<String>>, Mono<T>> end) {
		String key = Keys.user(rotation.userId());
		return this.guard.write(rotation.intent(), key,
				(lease) -> sent.send(ROTATE.run(this.redis, List.of(key, Keys.fence(key)), rotation.generation(),
						lease.owner(), rotation.mark(), rotation.newPassword())),
				end);
	}

	private Mono<Boolean> isMade(Rotation rotation) {
		return mark("rotation", rotation.userId()).map(rotation.mark()::equals).defaultIfEmpty(false);
	}

	private Mono<String> mark(String field, String userId) {
		return this.redis.<String, String>opsForHash().get(Keys.user(userId), field);
	}

	private Mono<Boolean> hasMovedOn(Intent intent) {
		return this.credentials.find(intent.subject())
			.map((now) -> !now.generation().equals(generationOf(intent)))
			.defaultIfEmpty(true);
	}

	/** If the log cannot be told now, no browser is forgotten when it is. */
	private Mono<Void> conclude(Intent intent) {
		return this.guard.conclude(intent, intent.forSecondCheck(), tell(intent));
	}

	private Mono<Void> tell(Intent intent) {
		return this.log.sessionsEnded(intent, intent.subject()).then();
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.ROTATION, Intent.Kind.PASSWORD);
	}

	/**
	 * If the sessions are over, writes the log entry, so that every instance ends the
	 * user's streams. After a change of the password no browser stays known. The user's
	 * own becomes known again at its next log-in.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		return hasMovedOn(intent).flatMap((moved) -> !moved ? Mono.empty() : forgetDevices(intent).then(tell(intent)));
	}

	/**
	 * Forgets all browsers that the user has logged in with, if this intent is the user's
	 * latest change of the password. The second check of an intent forgets none.
	 */
	private Mono<Void> forgetDevices(Intent intent) {
		return (intent.kind() != Intent.Kind.PASSWORD || intent.isSecondCheck()) ? Mono.empty()
				: mark("password_change", intent.subject()).filter(markOf(intent)::equals)
					.flatMap((mark) -> this.sessions.forgetDevices(intent.subject(),
							Session.after(generationOf(intent))));
	}

	private static String generationOf(Intent intent) {
		return intent.detail().split(BETWEEN, 2)[0];
	}

	private static String markOf(Intent intent) {
		return intent.detail().substring(intent.detail().indexOf(BETWEEN) + 1);
	}

	/**
	 * One rotation.
	 *
	 * @param userId the user whose sessions end
	 * @param generation the auth generation of these sessions
	 * @param mark tells this rotation from all others
	 * @param newPassword the new password, encoded; empty to keep the old one
	 * @param intent how another instance would finish it
	 */
	private record Rotation(String userId, String generation, String mark, String newPassword, Intent intent) {

		static Rotation of(Session session, String newPassword) {
			String userId = session.viewer().id();
			String mark = RandomTokens.ofBits(96);
			Intent intent = newPassword.isEmpty() ? Intent.of(Intent.Kind.ROTATION, userId, session.generation())
					: Intent.of(Intent.Kind.PASSWORD, userId, session.generation() + BETWEEN + mark);
			return new Rotation(userId, session.generation(), mark, newPassword, intent);
		}

	}

	/** Which sessions are over. */
	enum Ended {

		/** All sessions of the user. */
		EVERYWHERE,
		/**
		 * Only the session that asked: the lock that is needed to end the others could
		 * not be had, or a fail-over has lost their end.
		 */
		HERE

	}

	/**
	 * The change is made, but no new session is open: the data node went away, or this
	 * session has ended meanwhile.
	 */
	static class NotRenewedException extends RuntimeException {

		private final boolean made;

		NotRenewedException() {
			super("no new session is open");
			this.made = true;
		}

		NotRenewedException(boolean made, Throwable cause) {
			super("no new session is open", cause);
			this.made = made;
		}

		/**
		 * Whether the change is known to be made. Else a fail-over may have lost it.
		 */
		boolean isMade() {
			return this.made;
		}

	}

	/** Too few lock nodes answer, or the user's key is locked. Nothing has changed. */
	static class RotationPausedException extends RuntimeException {

		RotationPausedException() {
			super("ending sessions pauses");
		}

	}

}
