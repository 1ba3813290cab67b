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

	private final SessionLifecycle sessions;

	private final PasswordGuessLimit tries;

	private final AccountMetrics metrics;

	Login(CredentialsRepository credentials, PasswordHasher passwords, SessionLifecycle sessions,
			PasswordGuessLimit tries, AccountMetrics metrics) {
		this.credentials = credentials;
		this.passwords = passwords;
		this.sessions = sessions;
		this.tries = tries;
		this.metrics = metrics;
	}

	/**
	 * Opens a session under the generation that was read together with the password. So a
	 * log-in that began with an old password does not survive a change of it.
	 * @return the session's cookie; empty when the name is unknown or the password is
	 * wrong; {@link PasswordGuessLimit.TooManyGuessesException} when the password is not
	 * checked; {@link SuspendedException} when it is right, but the user is suspended
	 */
	Mono<SessionCookie> login(ServerWebExchange exchange, String username, String password) {
		return this.credentials.findByUsername(username)
			.singleOptional()
			.flatMap((stored) -> this.tries.logIn(exchange, username,
					Mono.justOrEmpty(stored.map(StoredCredentials::userId)), check(password, stored)))
			.doOnError(PasswordGuessLimit.TooManyGuessesException.class,
					(tooMany) -> this.metrics.count(LoggedIn.LIMITED))
			.flatMap((right) -> open(exchange, right))
			.switchIfEmpty(Mono.fromRunnable(() -> this.metrics.count(LoggedIn.WRONG)));
	}

	private Mono<SessionCookie> open(ServerWebExchange exchange, StoredCredentials right) {
		return right.suspended() ? Mono.error(SuspendedException::new)
				: this.sessions.open(exchange, right.userId(), right.generation())
					.doOnNext((cookie) -> this.metrics.count(LoggedIn.DONE));
	}

	private Mono<StoredCredentials> check(String password, Optional<StoredCredentials> stored) {
		return stored.isEmpty() ? this.passwords.matchesNobody(password).then(Mono.empty())
				: this.passwords.matches(password, stored.get().password())
					.filter(Boolean::booleanValue)
					.flatMap((right) -> upgrade(password, stored.get()))
					.map((done) -> stored.get());
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
	static class SuspendedException extends RuntimeException {

		SuspendedException() {
			super("the user is suspended", null, false, false);
		}

	}

}
