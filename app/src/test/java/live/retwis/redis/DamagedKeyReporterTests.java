package live.retwis.redis;

import java.time.Duration;

import io.lettuce.core.RedisCommandExecutionException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

import static org.assertj.core.api.Assertions.assertThat;

class DamagedKeyReporterTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final String DAMAGED = "WRONGTYPE Operation against a key holding the wrong kind of value";

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final DamagedKeyReporter reporter = new DamagedKeyReporter(this.meters);

	private final PublisherProbe<Void> second = PublisherProbe.empty();

	private static <T> Mono<T> damaged() {
		return Mono.error(() -> new RedisCommandExecutionException(DAMAGED));
	}

	private static <T> Mono<T> broken() {
		return Mono.error(() -> new IllegalStateException("broken"));
	}

	private StepVerifier.FirstStep<String> passedOver(Mono<String> step) {
		return StepVerifier.create(this.reporter.passOver("the step", step));
	}

	private double counted() {
		return this.meters.counter("retwis.keys.damaged").count();
	}

	private StepVerifier.FirstStep<Void> both(Mono<Void> first) {
		return StepVerifier.create(DamagedKeyReporter.thenInAnyCase(first, this.second.mono()));
	}

	@Test
	void passesTheResultOfAStepOn() {
		passedOver(Mono.just("a")).expectNext("a").expectComplete().verify(BOUND);
		passedOver(Mono.empty()).expectComplete().verify(BOUND);
		assertThat(counted()).isZero();
	}

	@Test
	void aStepThatMeetsADamagedKeyIsPassedOverAndCountsEachTime() {
		passedOver(damaged()).expectComplete().verify(BOUND);
		passedOver(damaged()).expectComplete().verify(BOUND);
		assertThat(counted()).isEqualTo(2);
	}

	@Test
	void anotherErrorOfAStepStaysOne() {
		passedOver(broken()).expectErrorMessage("broken").verify(BOUND);
		assertThat(counted()).isZero();
	}

	@Test
	void cancellingCancelsTheStep() {
		PublisherProbe<String> step = PublisherProbe.of(Mono.never());
		passedOver(step.mono()).expectSubscription().thenCancel().verify(BOUND);
		step.assertWasCancelled();
	}

	@Test
	void theSecondThingComesAfterTheFirst() {
		both(Mono.<Void>empty().doOnSuccess((done) -> this.second.assertWasNotSubscribed())).expectComplete()
			.verify(BOUND);
		this.second.assertWasSubscribed();
	}

	@Test
	void theSecondThingIsDoneAlsoWhenTheFirstMeetsADamagedKeyWhichStaysTheError() {
		both(damaged()).expectErrorMessage(DAMAGED).verify(BOUND);
		this.second.assertWasSubscribed();
	}

	@Test
	void afterAnotherErrorTheSecondThingIsNotDone() {
		both(broken()).expectErrorMessage("broken").verify(BOUND);
		this.second.assertWasNotSubscribed();
	}

	@Test
	void anErrorOfTheSecondThingComesThrough() {
		StepVerifier.create(DamagedKeyReporter.thenInAnyCase(Mono.empty(), broken()))
			.expectErrorMessage("broken")
			.verify(BOUND);
		StepVerifier.create(DamagedKeyReporter.thenInAnyCase(damaged(), broken()))
			.expectErrorMessage("broken")
			.verify(BOUND);
	}

	@Test
	void cancellingCancelsTheThingThatIsBeingDone() {
		PublisherProbe<Void> first = PublisherProbe.of(Mono.never());
		both(first.mono()).expectSubscription().thenCancel().verify(BOUND);
		first.assertWasCancelled();
		this.second.assertWasNotSubscribed();
		PublisherProbe<Void> then = PublisherProbe.of(Mono.never());
		StepVerifier.create(DamagedKeyReporter.thenInAnyCase(damaged(), then.mono()))
			.expectSubscription()
			.thenCancel()
			.verify(BOUND);
		then.assertWasCancelled();
	}

}
