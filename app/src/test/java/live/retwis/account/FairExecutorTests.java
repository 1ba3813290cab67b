package live.retwis.account;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FairExecutorTests {

	private final Queue<Runnable> thread = new ArrayDeque<>();

	private final AtomicLong clock = new AtomicLong();

	private final FairExecutor turns = new FairExecutor(this.thread::add, 1, 4, 10, this.clock::get);

	private final List<String> done = new ArrayList<>();

	private CompletableFuture<Boolean> ask(String client) {
		return this.turns.run(client, () -> this.done.add(client));
	}

	private void runAll() {
		while (!this.thread.isEmpty()) {
			this.thread.remove().run();
		}
	}

	@Test
	void aClientThatAsksForMuchWaitsForItself() {
		IntStream.range(0, 5).forEach((i) -> ask("attacker"));
		ask("one");
		ask("two");
		runAll();
		assertThat(this.done).containsExactly("attacker", "one", "two", "attacker", "attacker", "attacker", "attacker");
	}

	@Test
	void whoAsksRarelyGoesBeforeManyWhoAskForMuch() {
		List<String> attackers = List.of("a", "b", "c");
		attackers.forEach(this::ask);
		runAll();
		attackers.forEach(this::ask);
		attackers.forEach(this::ask);
		ask("honest");
		this.done.clear();
		runAll();
		assertThat(this.done).containsExactly("a", "honest", "b", "c", "a", "b", "c");
	}

	/** One asks eight times a minute, the others as often as they can. */
	@Test
	void whoAsksRarelyGoesBeforeManyWhoAskForMuchAtAnyTime() {
		List<String> attackers = List.of("a", "b", "c", "d");
		for (int second = 0; second < 300; second++) {
			attackers.forEach(this::ask);
			boolean asks = second % 7 == 5;
			if (asks) {
				ask("honest");
			}
			this.done.clear();
			runAll();
			if (asks) {
				assertThat(this.done.indexOf("honest")).as("place after " + second + " s").isLessThanOrEqualTo(1);
			}
			this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		}
	}

	@Test
	void aTurnIsForgotten() {
		ask("one");
		runAll();
		this.clock.addAndGet(Duration.ofSeconds(31).toNanos());
		ask("running");
		ask("one");
		ask("two");
		this.done.clear();
		runAll();
		assertThat(this.done).containsExactly("running", "one", "two");
	}

	@Test
	void aClientThatAsksForTooMuchIsRefusedAndOthersAreNot() {
		IntStream.range(0, 5).forEach((i) -> ask("attacker"));
		assertThat(ask("attacker")).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(RejectedExecutionException.class);
		assertThat(ask("other")).isNotCompletedExceptionally();
	}

	@Test
	void whatWaitsIsBoundedInAll() {
		IntStream.range(0, 11).forEach((i) -> assertThat(ask("client " + i)).isNotCompletedExceptionally());
		assertThat(ask("one more")).isCompletedExceptionally();
		runAll();
		assertThat(ask("one more")).isNotCompletedExceptionally();
	}

	@Test
	void severalClientsThatFillTheQueueDoNotKeepOthersOut() {
		ask("first");
		List<CompletableFuture<Boolean>> hostile = List.of(ask("a"), ask("b"), ask("c"), ask("a"), ask("b"), ask("c"),
				ask("a"), ask("b"), ask("c"), ask("a"));
		assertThat(ask("honest")).isNotCompletedExceptionally();
		assertThat(hostile).filteredOn(CompletableFuture::isCompletedExceptionally).hasSize(1);
		runAll();
		assertThat(this.done).hasSize(11).contains("honest");
	}

	@Test
	void whoGivesUpLeavesTheQueue() {
		ask("first");
		List<CompletableFuture<Boolean>> asked = IntStream.range(0, 4).mapToObj((i) -> ask("impatient")).toList();
		asked.forEach((work) -> work.cancel(true));
		assertThat(ask("impatient")).isNotCompletedExceptionally();
		runAll();
		assertThat(this.done).containsExactly("first", "impatient");
	}

	@Test
	void workThatFailsFreesItsPlace() {
		assertThat(this.turns.run("one", () -> {
			throw new AssertionError("broken");
		})).isNotDone();
		ask("two");
		runAll();
		assertThat(this.done).containsExactly("two");
	}

	@Test
	void manyClientsWithOnePlaceEachDoNotShutOutOneThatHadFewerTurns() {
		List<String> attackers = IntStream.range(0, 11).mapToObj((i) -> "attacker " + i).toList();
		for (int i = 0; i < 3; i++) {
			attackers.forEach(this::ask);
			runAll();
		}
		attackers.forEach(this::ask);
		this.done.clear();
		CompletableFuture<Boolean> honest = ask("honest");
		assertThat(honest).isNotDone();
		assertThat(ask("attacker 12")).as("nobody has had more turns than the honest one").isNotDone();
		runAll();
		assertThat(honest).isCompletedWithValue(true);
		assertThat(this.done.indexOf("honest")).as("it waits for the one that runs alone").isLessThanOrEqualTo(1);
	}

}
