package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class RoundLimiterTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final Duration BRIEF = Duration.ofMillis(20);

	private final RoundLimiter roundLimiter = new RoundLimiter(2, BRIEF, Schedulers.parallel());

	private List<CompletableFuture<Void>> next(int count) {
		return Stream.generate(() -> this.roundLimiter.next(LONG)).limit(count).toList();
	}

	private static List<Boolean> begun(List<CompletableFuture<Void>> rounds) {
		return rounds.stream().map((round) -> round.isDone() && !round.isCompletedExceptionally()).toList();
	}

	@Test
	void aFewRoundsRunAtOnceAndTheOthersInTheOrderOfTheirArrival() {
		List<CompletableFuture<Void>> rounds = next(5);
		assertThat(begun(rounds)).containsExactly(true, true, false, false, false);
		this.roundLimiter.end();
		assertThat(begun(rounds)).containsExactly(true, true, true, false, false);
		this.roundLimiter.end();
		assertThat(begun(rounds)).containsExactly(true, true, true, true, false);
	}

	@Test
	void leavingTheQueueTakesTheTurnOfNoOtherCaller() {
		List<CompletableFuture<Void>> rounds = next(5);
		rounds.get(2).cancel(false);
		this.roundLimiter.end();
		assertThat(begun(rounds)).containsExactly(true, true, false, true, false);
		this.roundLimiter.end();
		this.roundLimiter.end();
		assertThat(begun(next(3))).containsExactly(true, false, false);
	}

	@Test
	void aCallerWhoseWaitIsOverLeavesTheQueue() {
		next(2);
		CompletableFuture<Void> atOnce = this.roundLimiter.next(Duration.ZERO);
		CompletableFuture<Void> patient = this.roundLimiter.next(LONG);
		TestNodes.await().until(atOnce::isCompletedExceptionally);
		assertThat(atOnce).failsWithin(BRIEF).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		this.roundLimiter.end();
		assertThat(patient).isCompleted();
	}

	@Test
	void aThirdOfACrowdBegins() {
		assertThat(begun(next(100))).filteredOn(Boolean::booleanValue).hasSize(33);
	}

	@Test
	void aCallerIsRefusedAtOnceWhenTooManyWait() {
		List<CompletableFuture<Void>> rounds = next(2 * RoundLimiter.LONGEST_QUEUE);
		List<CompletableFuture<Void>> waiting = rounds.stream().filter((round) -> !round.isDone()).toList();
		assertThat(waiting).hasSize(RoundLimiter.LONGEST_QUEUE);
		assertThat(rounds.get(rounds.size() - 1)).isCompletedExceptionally();
		waiting.get(0).cancel(false);
		assertThat(this.roundLimiter.next(LONG)).isNotDone();
	}

	/** For example when the nodes die while many callers wait. */
	@Test
	void aWholeQueueWhoseRoundsEndAtOnceIsServed() {
		next(2);
		AtomicInteger served = new AtomicInteger();
		next(RoundLimiter.LONGEST_QUEUE).forEach((round) -> round.thenRun(() -> {
			served.incrementAndGet();
			this.roundLimiter.end();
		}));
		this.roundLimiter.end();
		TestNodes.await().untilAsserted(() -> assertThat(served).hasValue(RoundLimiter.LONGEST_QUEUE));
	}

}
