package live.retwis.account;

import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Checks the password of a user who is already logged in, within the limit of failed
 * log-ins.
 */
@Component
class PasswordConfirmation {

	private final CredentialsRepository credentials;

	private final PasswordHasher passwords;

	private final LoginLimit limit;

	PasswordConfirmation(CredentialsRepository credentials, PasswordHasher passwords, LoginLimit limit) {
		this.credentials = credentials;
		this.passwords = passwords;
		this.limit = limit;
	}

	/**
	 * Whether this is the user's password. A wrong one counts as a failed log-in.
	 * @return empty when the user does not exist any more; {@link Login.TooManyTries}
	 * when the limit is reached and the password is not checked
	 */
	Mono<Boolean> isRight(ServerWebExchange exchange, Viewer viewer, String password) {
		return this.limit.secondsToWait(exchange, viewer.username())
			.flatMap((seconds) -> (seconds > 0) ? Mono.error(new Login.TooManyTries(seconds)) : Mono.just(seconds))
			.then(this.credentials.find(viewer.id()))
			.flatMap((stored) -> this.passwords.matches(password, stored.password()))
			.flatMap((right) -> right ? Mono.just(true)
					: this.limit.failed(exchange, viewer.username()).thenReturn(false));
	}

}
