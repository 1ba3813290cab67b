package live.retwis.moderation;

import java.util.Optional;

import live.retwis.account.PasswordRules;
import live.retwis.account.Registration;
import live.retwis.account.UsernameRules;
import live.retwis.i18n.Languages;
import live.retwis.moderation.Moderation.ModerationRefusedException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Registers a user for an operator, also while registration is closed, and also under a
 * name that visitors cannot have.
 */
@Component
public class RegistrationByOperator {

	private final Registration registration;

	private final ModerationLog log;

	private final Languages languages;

	private final PasswordRules passwords;

	RegistrationByOperator(Registration registration, ModerationLog log, Languages languages, PasswordRules passwords) {
		this.registration = registration;
		this.log = log;
		this.languages = languages;
		this.passwords = passwords;
	}

	/**
	 * Registers a user.
	 * @param who the operator
	 * @return what has become of it; {@link ModerationRefusedException} when the name or
	 * the password cannot be used
	 */
	public Mono<String> register(String who, String username, String password) {
		return fault(username, password)
			.<Mono<String>>map((fault) -> Mono.error(() -> new ModerationRefusedException(fault)))
			.orElseGet(() -> this.log.add(who, "register " + username)
				.then(this.registration.register(username, password))
				.map((user) -> "@" + user.username() + " is registered.")
				.onErrorMap(Registration.NameTakenException.class,
						(taken) -> new ModerationRefusedException("The name is taken."))
				.onErrorMap(Registration.RegistrationPausedException.class, (paused) -> new ModerationRefusedException(
						"Too few lock nodes answer. Run the command again.")));
	}

	private Optional<String> fault(String username, String password) {
		return !UsernameRules.isValid(username)
				? Optional.of("A name has 1 to " + UsernameRules.LENGTH + " of A-Z a-z 0-9 _.")
				: Optional.ofNullable(this.passwords.fault(password, username))
					.map((fault) -> fault.in(this.languages.all().get(0)));
	}

}
