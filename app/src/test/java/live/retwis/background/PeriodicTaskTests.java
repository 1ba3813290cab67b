package live.retwis.background;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class PeriodicTaskTests {

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

	private final AtomicInteger runs = new AtomicInteger();

	private final TestPublisher<Void> slow = TestPublisher.create();

	private IntFunction<Mono<Void>> run = (number) -> Mono.empty();

	private final PeriodicTask task = new PeriodicTask(PERIOD) {
		@Override
		protected Mono<Void> run() {
			return PeriodicTaskTests.this.run.apply(PeriodicTaskTests.this.runs.incrementAndGet());
		}
	};

	@AfterEach
	void stop() {
		this.task.stop();
		VirtualTimeScheduler.reset();
	}

	private void startAndPass(int periods) {
		this.task.start();
		this.time.advanceTimeBy(PERIOD.multipliedBy(periods));
	}

	@Test
	void runsAtTheStartAndThenInEachPeriod() {
		startAndPass(2);
		assertThat(this.runs).hasValue(3);
	}

	@Test
	void aRunThatFailsIsFollowedByTheNext() {
		this.run = (number) -> Mono.error(new IllegalStateException("made by a test"));
		startAndPass(2);
		assertThat(this.runs).hasValue(3);
	}

	@Test
	void aRunThatThrowsIsFollowedByTheNext() {
		this.run = (number) -> {
			throw new IllegalStateException("made by a test");
		};
		startAndPass(2);
		assertThat(this.runs).hasValue(3);
	}

	@Test
	void theNextRunIsAWholePeriodAfterTheEndOfALongOne() {
		this.run = (number) -> (number == 1) ? this.slow.mono() : Mono.empty();
		startAndPass(5);
		assertThat(this.runs).hasValue(1);
		this.slow.complete();
		this.time.advanceTimeBy(PERIOD.minusMillis(1));
		assertThat(this.runs).hasValue(1);
		this.time.advanceTimeBy(Duration.ofMillis(1));
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void stoppingCancelsTheRunInProgressAndBeginsNoOther() {
		this.run = (number) -> this.slow.mono();
		startAndPass(0);
		this.task.stop();
		this.slow.assertCancelled();
		this.time.advanceTimeBy(PERIOD);
		assertThat(this.runs).hasValue(1);
		assertThat(this.task.isRunning()).isFalse();
	}

}
