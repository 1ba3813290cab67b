package live.retwis.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class ConvergingWriteTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final List<String> written = new ArrayList<>();

	private Mono<Void> write(String value) {
		return Mono.fromRunnable(() -> this.written.add(value));
	}

	/** A source that has these values, one at each read. */
	private static Mono<String> source(String... values) {
		Queue<String> left = new ArrayDeque<>(List.of(values));
		return Mono.fromSupplier(left::remove);
	}

	@Test
	void aValueThatStaysIsWrittenOnce() {
		StepVerifier.create(ConvergingWrite.of(source("a", "a"), this::write)).expectComplete().verify(BOUND);
		assertThat(this.written).containsExactly("a");
	}

	@Test
	void aValueThatChangesMeanwhileIsWrittenAgainUntilItStays() {
		StepVerifier.create(ConvergingWrite.of(source("a", "b", "c", "c"), this::write)).expectComplete().verify(BOUND);
		assertThat(this.written).containsExactly("a", "b", "c");
	}

	@Test
	void nothingIsWrittenWithoutAValue() {
		StepVerifier.create(ConvergingWrite.of(Mono.<String>empty(), this::write)).expectComplete().verify(BOUND);
		assertThat(this.written).isEmpty();
	}

	@Test
	void aFailedReadIsPassedOn() {
		Mono<String> failed = Mono.error(new IllegalStateException("unreadable"));
		StepVerifier.create(ConvergingWrite.of(failed, this::write)).expectErrorMessage("unreadable").verify(BOUND);
		assertThat(this.written).isEmpty();
	}

	@Test
	void aFailedWriteIsPassedOnAndNotRepeated() {
		StepVerifier
			.create(ConvergingWrite.of(source("a", "b"),
					(value) -> write(value).then(Mono.error(new IllegalStateException("refused")))))
			.expectErrorMessage("refused")
			.verify(BOUND);
		assertThat(this.written).containsExactly("a");
	}

	@Test
	void cancellingStopsTheWriteThatIsInProgress() {
		TestPublisher<Void> slow = TestPublisher.create();
		StepVerifier.create(ConvergingWrite.of(source("a"), (value) -> slow.mono()))
			.expectSubscription()
			.then(slow::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		slow.assertCancelled();
	}

}
