package live.retwis.account;

import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Asks who is signed in for the password once more, within the limit of failed log-ins.
 */
@Component
class PasswordCheck {

	private final UserRepository users;

	private final Passwords passwords;

	private final LoginLimit limit;

	PasswordCheck(UserRepository users, Passwords passwords, LoginLimit limit) {
		this.users = users;
		this.passwords = passwords;
		this.limit = limit;
	}

	/**
	 * Whether it is this user's password. A wrong one counts as a failed log-in.
	 * @return empty when there is no such user any more; {@link Login.TooManyTries} when
	 * the password is not even looked at
	 */
	Mono<Boolean> isRight(ServerWebExchange exchange, Viewer viewer, String password) {
		return this.limit.secondsToWait(exchange, viewer.username())
			.flatMap((seconds) -> (seconds > 0) ? Mono.error(new Login.TooManyTries(seconds)) : Mono.just(seconds))
			.then(this.users.credentials(viewer.id()))
			.flatMap((stored) -> this.passwords.matches(password, stored.password()))
			.flatMap((right) -> right ? Mono.just(true)
					: this.limit.failed(exchange, viewer.username()).thenReturn(false));
	}

}
