package live.retwis.demo;

import java.time.Duration;
import java.util.List;

import live.retwis.account.RecentUsers;
import live.retwis.account.Registration;
import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/** The users of the demo. */
@Component
class DemoPeople {

	/** Users registered concurrently. Most of the work is encoding passwords. */
	private static final int REGISTRATIONS = 2;

	/**
	 * A registration that broke off may still have its lock. Then the name is registered
	 * when its lease is over.
	 */
	private static final Retry WHILE_PAUSED = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1))
		.filter(Registration.RegistrationPausedException.class::isInstance);

	private final UsernameRepository usernames;

	private final RecentUsers recent;

	private final Registration registration;

	private final DemoStepRunner steps;

	DemoPeople(UsernameRepository usernames, RecentUsers recent, Registration registration, DemoStepRunner steps) {
		this.usernames = usernames;
		this.recent = recent;
		this.registration = registration;
		this.steps = steps;
	}

	/** Those who are registered. */
	Mono<List<User>> find() {
		return Flux.fromIterable(DemoTexts.NAMES).flatMapSequential(this.usernames::findUser).collectList();
	}

	/** Whether the store has no users at all. */
	Mono<Boolean> isStoreEmpty() {
		return this.recent.newest(1).map(List::isEmpty);
	}

	/** Registers them, except those whose name is taken. */
	Mono<List<User>> register(String password) {
		return Flux.fromIterable(DemoTexts.NAMES)
			.flatMapSequential((name) -> this.steps.run(this.registration.register(name, password))
				.retryWhen(WHILE_PAUSED)
				.onErrorResume(Registration.NameTakenException.class, (taken) -> Mono.empty()), REGISTRATIONS)
			.collectList();
	}

}
