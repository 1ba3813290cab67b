package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class CommandRecorderContextTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final CommandRecorder recorder = new CommandRecorder() {

		@Override
		public Answer sent(String name, List<String> arguments, int left, String node, BooleanSupplier answered) {
			throw new UnsupportedOperationException("nothing is sent here");
		}

		@Override
		public void locked(String resource, Map<String, String> nodes, Duration waited, Duration left) {
			CommandRecorderContextTests.this.told.add(resource);
		}

		@Override
		public void refused(String resource, boolean taken, Duration waited) {
			throw new UnsupportedOperationException("nothing is refused here");
		}

	};

	private final CompletableFuture<String> future = new CompletableFuture<>();

	private final Mono<String> awaited = CommandRecorderContext.fromFuture(() -> this.future);

	/** The recorder that a command would be told to now; null for none. */
	private static @Nullable CommandRecorder current() {
		CommandTracing.Traced traced = CommandRecorderContext.current();
		return (traced != null) ? traced.recorder() : null;
	}

	private Mono<Void> tell() {
		return CommandRecorderContext.tell((one) -> one.locked("told", Map.of(), SOON, SOON));
	}

	@Test
	void aFutureGivesItsValueNothingOrItsError() {
		StepVerifier.create(this.awaited)
			.then(() -> this.future.complete("value"))
			.expectNext("value")
			.expectComplete()
			.verify(SOON);
		StepVerifier.create(CommandRecorderContext.fromFuture(() -> CompletableFuture.completedFuture(null)))
			.expectComplete()
			.verify(SOON);
		StepVerifier
			.create(CommandRecorderContext
				.fromFuture(() -> CompletableFuture.failedFuture(new IllegalStateException("made by a test"))))
			.expectError(IllegalStateException.class)
			.verify(SOON);
		StepVerifier.create(CommandRecorderContext.fromFuture(() -> {
			throw new IllegalStateException("made by a test");
		})).expectError(IllegalStateException.class).verify(SOON);
	}

	@Test
	void whoCancelsDoesNotCancelAFutureForWhichOthersMayWait() {
		StepVerifier.create(this.awaited).expectSubscription().thenCancel().verify(SOON);
		StepVerifier.create(CommandRecorderContext.using(() -> this.future, (value) -> value))
			.expectSubscription()
			.thenCancel()
			.verify(SOON);
		assertThat(this.future).isNotDone();
	}

	@Test
	void aFutureIsBegunAtTheSubscriptionOnBehalfOfTheRequest() {
		Mono<Boolean> recorded = CommandRecorderContext
			.fromFuture(() -> CompletableFuture.completedFuture(current() == this.recorder));
		StepVerifier.create(CommandRecorderContext.record(recorded, this.recorder)).expectNext(true).verifyComplete();
		StepVerifier.create(recorded).expectNext(false).verifyComplete();
		StepVerifier.create(CommandRecorderContext.record(CommandRecorderContext.unrecorded(recorded), this.recorder))
			.expectNext(false)
			.verifyComplete();
		assertThat(current()).as("the thread's own").isNull();
	}

	@Test
	void aFutureThatIsUsedTwiceIsBegunOnce() {
		List<String> begun = new CopyOnWriteArrayList<>();
		Mono<String> twice = CommandRecorderContext.using(() -> {
			begun.add("begun");
			return CompletableFuture.completedFuture("a");
		}, (value) -> Mono.zip(value, value, (one, other) -> one + other));
		StepVerifier.create(twice).expectNext("aa").verifyComplete();
		assertThat(begun).hasSize(1);
	}

	@Test
	void aRecorderIsToldIfThereIsOne() {
		StepVerifier.create(tell()).verifyComplete();
		assertThat(this.told).isEmpty();
		StepVerifier.create(CommandRecorderContext.record(tell(), this.recorder)).verifyComplete();
		assertThat(this.told).containsExactly("told");
		StepVerifier.create(CommandRecorderContext.record(CommandRecorderContext.tell((one) -> {
			throw new IllegalStateException("made by a test");
		}), this.recorder)).expectError(IllegalStateException.class).verify(SOON);
	}

	@Test
	void aFutureOfAReadBelongsToTheRequestThatTheThreadWorksFor() {
		Mono<Boolean> read = Mono.deferContextual((context) -> Mono.just(CommandRecorderContext.of(context) != null));
		Mono<Boolean> inside = CommandRecorderContext.fromFuture(() -> CommandRecorderContext.toFuture(read));
		StepVerifier.create(CommandRecorderContext.record(inside, this.recorder)).expectNext(true).verifyComplete();
		StepVerifier.create(inside).expectNext(false).verifyComplete();
	}

}
