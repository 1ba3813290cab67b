package live.retwis.background;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class BackgroundQueueTests {

	/** The items whose work has begun. */
	private final List<Integer> begun = new ArrayList<>();

	private final TestPublisher<Void> slow = TestPublisher.create();

	private Function<Integer, Mono<Void>> work = (item) -> Mono.empty();

	private final Queue queue = new Queue();

	@AfterEach
	void stop() {
		this.queue.stop();
	}

	private void startAndOffer(int... items) {
		this.queue.start();
		IntStream.of(items).forEach(this.queue::offer);
	}

	@Test
	void theWorkOfEachItemIsDone() {
		startAndOffer(1, 2, 3);
		assertThat(this.begun).containsExactly(1, 2, 3);
	}

	@Test
	void theNextItemBeginsWhenOneIsDone() {
		this.work = (item) -> (item == 1) ? this.slow.mono() : Mono.empty();
		startAndOffer(1, 2);
		assertThat(this.begun).containsExactly(1);
		this.slow.complete();
		assertThat(this.begun).containsExactly(1, 2);
	}

	@Test
	void anItemThatFailsDoesNotStopTheOthers() {
		this.work = (item) -> (item == 1) ? Mono.error(new IllegalStateException("made by a test")) : Mono.empty();
		startAndOffer(1, 2);
		assertThat(this.begun).containsExactly(1, 2);
	}

	@Test
	void anItemWhoseWorkThrowsDoesNotStopTheOthers() {
		this.work = (item) -> {
			if (item == 1) {
				throw new IllegalStateException("made by a test");
			}
			return Mono.empty();
		};
		startAndOffer(1, 2);
		assertThat(this.begun).containsExactly(1, 2);
	}

	@Test
	void itemsBeyondTheBoundAreDropped() {
		this.work = (item) -> (item == 1) ? this.slow.mono() : Mono.empty();
		startAndOffer(IntStream.rangeClosed(1, 1100).toArray());
		this.slow.complete();
		assertThat(this.begun).hasSizeBetween(1000, 1002).startsWith(1, 2, 3);
	}

	@Test
	void stoppingCancelsTheWorkInProgress() {
		this.work = (item) -> this.slow.mono();
		startAndOffer(1, 2);
		this.queue.stop();
		this.slow.assertCancelled();
		assertThat(this.queue.isRunning()).isFalse();
		assertThat(this.begun).containsExactly(1);
	}

	/** Processes one item at a time. */
	private final class Queue extends BackgroundQueue<Integer> {

		Queue() {
			super(1);
		}

		@Override
		protected Mono<Void> work(Integer item) {
			BackgroundQueueTests.this.begun.add(item);
			return BackgroundQueueTests.this.work.apply(item);
		}

	}

}
