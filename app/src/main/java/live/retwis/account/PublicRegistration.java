package live.retwis.account;

import live.retwis.account.AccountMetrics.Registered;
import live.retwis.i18n.Message;
import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.DataNodeMemory;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Registration by the forms of the site. It is counted, and an operator can close it. */
@Component
class PublicRegistration {

	private final Registration registration;

	private final RegistrationSwitch registrationSwitch;

	private final ReservedNames reserved;

	private final DataNodeMemory memory;

	private final AccountMetrics metrics;

	PublicRegistration(Registration registration, RegistrationSwitch registrationSwitch, ReservedNames reserved,
			DataNodeMemory memory, AccountMetrics metrics) {
		this.registration = registration;
		this.registrationSwitch = registrationSwitch;
		this.reserved = reserved;
		this.memory = memory;
		this.metrics = metrics;
	}

	/** Whether visitors may register. */
	Mono<Boolean> isOpen() {
		return this.registrationSwitch.isOpen();
	}

	/** Fails with 403 when visitors may not register. */
	Mono<Void> requireOpen() {
		return Mono.defer(this::isOpen)
			.flatMap((open) -> open ? Mono.empty() : ProblemException.forbidden(Message.of("register.closed")));
	}

	/**
	 * Registers a user, see {@link Registration#register}. A reserved name counts as
	 * taken.
	 * @return the user; {@link DataNodeFullException} when a data node is nearly full
	 */
	Mono<User> register(String username, String password) {
		return admitted(username, password).doOnNext((user) -> this.metrics.count(Registered.DONE))
			.doOnError(Registration.NameTakenException.class, (taken) -> this.metrics.count(Registered.TAKEN))
			.doOnError(Registration.RegistrationPausedException.class,
					(paused) -> this.metrics.count(Registered.PAUSED))
			.doOnError(DataNodeFullException.class, (full) -> this.metrics.count(Registered.PAUSED));
	}

	private Mono<User> admitted(String username, String password) {
		if (this.reserved.contain(username)) {
			return Mono.error(new Registration.NameTakenException(username));
		}
		return this.memory.requireRoom().then(Mono.defer(() -> this.registration.register(username, password)));
	}

}
