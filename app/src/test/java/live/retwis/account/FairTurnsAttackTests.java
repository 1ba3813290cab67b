package live.retwis.account;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Faults of {@link FairTurns}. */
class FairTurnsAttackTests {

	private final Queue<Runnable> thread = new ArrayDeque<>();

	private final FairTurns turns = new FairTurns(this.thread::add, 2, 4, 64);

	private final List<String> done = new ArrayList<>();

	private CompletableFuture<Boolean> ask(String client, boolean trusted) {
		return this.turns.run(new FairTurns.Client(client, trusted), () -> this.done.add(client));
	}

	@Test
	void sixtySixAddressesThatAskOnceDoNotShutOutAKnownBrowser() {
		IntStream.range(0, 66).forEach((i) -> ask("2001:db8:0:" + i + "::/64", false));
		assertThat(ask("owner", true)).isNotCompletedExceptionally();
	}

	@Test
	void trustedClientsDoNotKeepOthersWaitingForEver() {
		ask("attacker", true);
		ask("attacker", true);
		ask("attacker", true);
		ask("honest", false);
		for (int turn = 0; turn < 1000; turn++) {
			ask("attacker", true);
			this.thread.remove().run();
		}
		assertThat(this.done).contains("honest");
	}

}
