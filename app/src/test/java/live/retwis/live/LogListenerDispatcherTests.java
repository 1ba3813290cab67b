package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.CommitLogListener;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/** In what order listeners are prepared, and what happens when one fails. */
class LogListenerDispatcherTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final LogEntry ENTRY = new LogEntry(new LogPosition(1, 0, "entry"), LogEntry.Type.START, "", "", "");

	private final TestPublisher<Void> preparation = TestPublisher.create();

	private final AtomicInteger resets = new AtomicInteger();

	private final AtomicInteger preparations = new AtomicInteger();

	private final LogListenerDispatcher listeners = new LogListenerDispatcher(List.of(new CommitLogListener() {
		@Override
		public void accept(LogEntry entry) {
			throw new IllegalStateException("made by a test");
		}

		@Override
		public void reset() {
			LogListenerDispatcherTests.this.resets.incrementAndGet();
		}

		@Override
		public Mono<Void> prepare() {
			return Mono.defer(() -> {
				LogListenerDispatcherTests.this.preparations.incrementAndGet();
				return LogListenerDispatcherTests.this.preparation.mono();
			});
		}
	}), new InstanceLogPosition());

	private final Flux<Void> preparing = this.listeners.preparing(Retry.max(1));

	private void fail() {
		assertThat(this.listeners.tell(ENTRY)).isTrue();
	}

	/**
	 * A cache keeps the lists that pages read after its reset. They lack what fan-out has
	 * not processed, unless {@link PendingFanOutIndex} knows it by then.
	 */
	@Test
	void aListenerIsResetWhenThoseBeforeItAreFullyPrepared() {
		List<String> calls = new ArrayList<>();
		CommitLogListener first = listener("first", calls, this.preparation.mono());
		CommitLogListener second = listener("second", calls, Mono.empty());
		StepVerifier.create(new LogListenerDispatcher(List.of(first, second), new InstanceLogPosition()).prepare())
			.then(() -> assertThat(calls).containsExactly("reset first", "prepare first"))
			.then(this.preparation::complete)
			.expectComplete()
			.verify(BOUND);
		assertThat(calls).containsExactly("reset first", "prepare first", "reset second", "prepare second");
	}

	private static CommitLogListener listener(String name, List<String> calls, Mono<Void> preparation) {
		return new CommitLogListener() {
			@Override
			public void accept(LogEntry entry) {
			}

			@Override
			public void reset() {
				calls.add("reset " + name);
			}

			@Override
			public Mono<Void> prepare() {
				calls.add("prepare " + name);
				return preparation;
			}
		};
	}

	@Test
	void nothingIsPreparedWhileNoListenerFails() {
		StepVerifier.create(this.preparing)
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(50))
			.thenCancel()
			.verify(BOUND);
		this.preparation.assertWasNotSubscribed();
	}

	@Test
	void aListenerThatFailsIsResetAndPreparedAndTheNextFailureIsWaitedFor() {
		StepVerifier.create(this.preparing)
			.expectSubscription()
			.then(this::fail)
			.then(this.preparation::complete)
			.expectNoEvent(Duration.ofMillis(50))
			.thenCancel()
			.verify(BOUND);
		assertThat(this.resets).hasValue(1);
		assertThat(this.preparations).hasValue(1);
	}

	@Test
	void aPreparationThatFailsIsRepeatedAndThenItsErrorIsPassedOn() {
		StepVerifier.create(this.preparing)
			.expectSubscription()
			.then(this::fail)
			.then(() -> this.preparation.error(new IllegalStateException("away")))
			.expectErrorSatisfies((error) -> assertThat(error).hasRootCauseMessage("away"))
			.verify(BOUND);
		assertThat(this.preparations).hasValue(2);
	}

	@Test
	void cancellingStopsThePreparation() {
		StepVerifier.create(this.preparing)
			.expectSubscription()
			.then(this::fail)
			.then(this.preparation::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		this.preparation.assertCancelled();
	}

}
