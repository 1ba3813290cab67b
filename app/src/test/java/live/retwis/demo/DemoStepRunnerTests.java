package live.retwis.demo;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class DemoStepRunnerTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final DemoStepRunner steps = new DemoStepRunner();

	private final TestPublisher<String> step = TestPublisher.create();

	private final AtomicBoolean stopped = new AtomicBoolean();

	@BeforeEach
	void start() {
		this.steps.start();
	}

	private void stop() {
		this.steps.stop(() -> this.stopped.set(true));
	}

	@Test
	void passesTheResultOn() {
		StepVerifier.create(this.steps.run(this.step.mono()))
			.then(() -> this.step.emit("done"))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aStepWithoutAResultHasNone() {
		StepVerifier.create(this.steps.run(this.step.mono())).then(this.step::complete).expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOnAndNothingWaitsForAFailedStep() {
		StepVerifier.create(this.steps.run(this.step.mono()))
			.then(() -> this.step.error(new IllegalStateException("refused")))
			.expectErrorMessage("refused")
			.verify(BOUND);
		stop();
		assertThat(this.stopped).isTrue();
	}

	@Test
	void aStepThatIsCancelledRunsToItsEndAndTheStopWaitsForIt() {
		Disposable begun = this.steps.run(this.step.mono()).subscribe();
		this.step.assertWasSubscribed();
		begun.dispose();
		this.step.assertNotCancelled();
		stop();
		assertThat(this.stopped).isFalse();
		this.step.emit("done");
		assertThat(this.stopped).isTrue();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void saysOnceWhatAStepWaitsFor(CapturedOutput log) {
		AtomicInteger tries = new AtomicInteger();
		Mono<String> step = Mono.defer(() -> (tries.incrementAndGet() < 4)
				? Mono.error(new QueryTimeoutException("it is away")) : Mono.just("done"));
		StepVerifier.withVirtualTime(() -> this.steps.run(step))
			.thenAwait(Duration.ofSeconds(3))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
		assertThat(log.toString()).containsOnlyOnce("The demo waits: it is away");
	}

	@Test
	void noStepBeginsAfterTheStop() {
		stop();
		StepVerifier.create(this.steps.run(this.step.mono()))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(50))
			.thenCancel()
			.verify(BOUND);
		this.step.assertWasNotSubscribed();
	}

}
