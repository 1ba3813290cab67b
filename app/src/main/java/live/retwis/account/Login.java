package live.retwis.account;

import java.util.Optional;

import live.retwis.account.AccountMetrics.LoggedIn;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Checks a name and a password and opens a session. An unknown name takes as long as a
 * wrong password.
 */
@Component
class Login {

	private final CredentialsRepository credentials;

	private final PasswordHasher passwords;

	private final Sessions sessions;

	private final LoginLimit limit;

	private final AccountMetrics metrics;

	Login(CredentialsRepository credentials, PasswordHasher passwords, Sessions sessions, LoginLimit limit,
			AccountMetrics metrics) {
		this.credentials = credentials;
		this.passwords = passwords;
		this.sessions = sessions;
		this.limit = limit;
		this.metrics = metrics;
	}

	/**
	 * Opens a session under the generation that was read together with the password. So a
	 * log-in that began with an old password does not survive a change of it.
	 * @return the session's cookie; empty when the name is unknown or the password is
	 * wrong; {@link TooManyTries} when the limit is reached and they are not checked;
	 * {@link Suspended} when they are right, but the user is suspended
	 */
	Mono<SessionCookie> login(ServerWebExchange exchange, String username, String password) {
		return this.limit.secondsToWait(exchange, username)
			.flatMap((seconds) -> (seconds > 0) ? tooMany(seconds) : check(username, password))
			.flatMap((right) -> open(exchange, right))
			.switchIfEmpty(Mono.defer(() -> wrong(exchange, username)));
	}

	private <T> Mono<T> tooMany(long seconds) {
		this.metrics.count(LoggedIn.LIMITED);
		return Mono.error(new TooManyTries(seconds));
	}

	private Mono<SessionCookie> open(ServerWebExchange exchange, StoredCredentials right) {
		return right.suspended() ? Mono.error(Suspended::new)
				: this.sessions.open(exchange, right.userId(), right.generation())
					.doOnNext((cookie) -> this.metrics.count(LoggedIn.DONE));
	}

	private Mono<SessionCookie> wrong(ServerWebExchange exchange, String username) {
		this.metrics.count(LoggedIn.WRONG);
		return this.limit.failed(exchange, username).then(Mono.empty());
	}

	private Mono<StoredCredentials> check(String username, String password) {
		return this.credentials.findByUsername(username)
			.flatMap((stored) -> this.passwords.matches(password, stored.password())
				.filter(Boolean::booleanValue)
				.flatMap((right) -> upgrade(password, stored))
				.map((right) -> Optional.of(stored))
				.defaultIfEmpty(Optional.empty()))
			.switchIfEmpty(Mono.defer(() -> this.passwords.matchesNobody(password).thenReturn(Optional.empty())))
			.flatMap(Mono::justOrEmpty);
	}

	/**
	 * Encodes the right password again if it was encoded at a lower cost. If that fails,
	 * the next log-in tries again.
	 * @return true
	 */
	private Mono<Boolean> upgrade(String password, StoredCredentials stored) {
		return Mono.just(stored.password())
			.filter(this.passwords::isOutdated)
			.flatMap((outdated) -> this.passwords.encode(password))
			.flatMap((encoded) -> this.credentials.replacePassword(stored, encoded))
			.onErrorComplete()
			.thenReturn(true);
	}

	/** An operator has suspended the user. */
	static class Suspended extends RuntimeException {

		Suspended() {
			super("the user is suspended", null, false, false);
		}

	}

	/** The limit of failed log-ins is reached. */
	static class TooManyTries extends RuntimeException {

		private final long seconds;

		TooManyTries(long seconds) {
			super("too many failed log-ins");
			this.seconds = seconds;
		}

		/** Seconds until the next try is accepted. */
		long seconds() {
			return this.seconds;
		}

	}

}
