package live.retwis.account;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Checks the password of a user who is already logged in, within the limit of wrong
 * passwords.
 */
@Component
class PasswordConfirmation {

	private final CredentialsRepository credentials;

	private final PasswordHasher passwords;

	private final PasswordGuessLimit tries;

	PasswordConfirmation(CredentialsRepository credentials, PasswordHasher passwords, PasswordGuessLimit tries) {
		this.credentials = credentials;
		this.passwords = passwords;
		this.tries = tries;
	}

	/**
	 * Whether this is the user's password.
	 * @return empty when the user does not exist any more;
	 * {@link PasswordGuessLimit.TooManyGuessesException} when the password is not checked
	 */
	Mono<Boolean> isRight(Session session, String password) {
		return this.credentials.find(session.viewer().id())
			.flatMap((stored) -> this.tries
				.confirm(session, this.passwords.matches(password, stored.password()).filter(Boolean::booleanValue))
				.defaultIfEmpty(false));
	}

}
