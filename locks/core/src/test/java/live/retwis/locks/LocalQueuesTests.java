package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class LocalQueuesTests {

	private static final String NAME = "name";

	private final LocalQueues localQueues = new LocalQueues(Schedulers.parallel());

	private List<CompletableFuture<Void>> enter(int count) {
		return Stream.generate(() -> this.localQueues.enter(NAME)).limit(count).toList();
	}

	private void leave(CompletableFuture<Void> turn) {
		this.localQueues.leave(NAME, turn);
	}

	private static List<Boolean> done(List<CompletableFuture<Void>> turns) {
		return turns.stream().map(CompletableFuture::isDone).toList();
	}

	@Test
	void callersHaveTheirTurnInTheOrderOfTheirArrival() {
		List<CompletableFuture<Void>> turns = enter(3);
		assertThat(done(turns)).containsExactly(true, false, false);
		leave(turns.get(0));
		TestNodes.await().until(turns.get(1)::isDone);
		assertThat(turns.get(2)).isNotDone();
		leave(turns.get(1));
		TestNodes.await().until(turns.get(2)::isDone);
	}

	@Test
	void everyNameHasItsOwnQueue() {
		enter(2);
		assertThat(this.localQueues.enter("other")).isDone();
	}

	@Test
	void aNewCallerMayOvertakeWhenTheNameIsFreeButOnlyAFewTimesInARow() {
		CompletableFuture<Void> inside = this.localQueues.enter(NAME);
		CompletableFuture<Void> patient = this.localQueues.enter(NAME);
		int overtakings = 0;
		while (!patient.isDone()) {
			leave(inside);
			inside = this.localQueues.enter(NAME);
			overtakings += inside.isDone() ? 1 : 0;
			assertThat(overtakings).isLessThanOrEqualTo(LocalQueues.MOST_OVERTAKINGS);
			if (!inside.isDone()) {
				TestNodes.await().until(patient::isDone);
			}
		}
	}

	@Test
	void afterTooManyOvertakingsTheLongestWaitingCallerIsNext() {
		CompletableFuture<Void> inside = this.localQueues.enter(NAME);
		CompletableFuture<Void> patient = this.localQueues.enter(NAME);
		this.localQueues.enter(NAME);
		for (int i = 0; i < LocalQueues.MOST_OVERTAKINGS && !patient.isDone(); i++) {
			leave(inside);
			inside = this.localQueues.enter(NAME);
		}
		leave(inside);
		TestNodes.await().until(patient::isDone);
	}

	@Test
	void aCallerThatGaveUpHasNoTurn() {
		List<CompletableFuture<Void>> turns = enter(3);
		leave(turns.get(1));
		leave(turns.get(0));
		TestNodes.await().until(turns.get(2)::isDone);
		assertThat(turns.get(1)).isNotDone();
	}

	@Test
	void leavingTwiceTakesTheTurnOfNoOtherCaller() {
		List<CompletableFuture<Void>> turns = enter(3);
		leave(turns.get(0));
		TestNodes.await().until(turns.get(1)::isDone);
		leave(turns.get(0));
		assertThat(this.localQueues.enter(NAME)).isNotDone();
		assertThat(turns.get(2)).isNotDone();
	}

	@Test
	void waitingCallersLearnTheReason() {
		List<CompletableFuture<Void>> turns = enter(2);
		assertThat(this.localQueues.refusal(NAME)).isNull();
		this.localQueues.refused(NAME, new NoQuorum(NAME, "three are down"));
		assertThat(this.localQueues.refusal(NAME)).isInstanceOf(NoQuorum.class);
		this.localQueues.held(NAME);
		assertThat(this.localQueues.refusal(NAME)).isInstanceOf(LockTaken.class);
		leave(turns.get(0));
		assertThat(this.localQueues.refusal(NAME)).as("between two owners").isInstanceOf(LockTaken.class);
	}

	@Test
	void anEmptyQueueIsRemoved() {
		List<CompletableFuture<Void>> turns = enter(3);
		turns.forEach(this::leave);
		assertThat(this.localQueues.size()).isZero();
	}

}
