package live.retwis.locks.lab.node;

import java.nio.file.Files;
import java.util.List;

import live.retwis.locks.lab.fault.PromotedReplica;
import live.retwis.locks.lab.fault.StalledReplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node whose replica receives nothing and is promoted.
 */
@Timeout(60)
class ReplicaWithSentinelsTests {

	/** Processes: the lab, a node, the store, a replica and three Sentinels. */
	private static final int PROCESSES = 7;

	@Test
	@Tag("slow")
	@Tag("long")
	void theNodeLosesWhatItsReplicaDidNotReceiveAndIsRestoredAfterwards() throws Exception {
		try (ProcessRegistry processRegistry = ProcessRegistry.open();
				LabNodes nodes = LabNodes.start(1, false, false, processRegistry)) {
			LabNode node = nodes.node(1);
			int own = node.port();
			node.ask("SET", "before", "1");
			StalledReplication stalled = new StalledReplication(node, processRegistry);
			stalled.inject();
			node.ask("SET", "after", "1");
			node.kill();
			PromotedReplica promoted = new PromotedReplica(stalled);
			promoted.inject();
			assertThat(promoted.isComplete()).isTrue();
			assertThat(node.port()).isNotEqualTo(own);
			assertThat(node.ask("ROLE")).startsWith("master");
			assertThat(node.ask("KEYS", "*")).containsExactly("before");
			List<String> recorded = Files.readAllLines(processRegistry.directory().resolve("processes"));
			assertThat(recorded).hasSize(PROCESSES);
			promoted.undo();
			stalled.undo();
			assertThat(node.port()).isEqualTo(own);
			assertThat(node.ask("ROLE")).startsWith("master");
			assertThat(recorded.stream().filter(ReplicaWithSentinelsTests::isAlive)).hasSize(2);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPromotedReplicaThatIsKilledAndStartedAgainIsStillAMaster() {
		try (ProcessRegistry processRegistry = ProcessRegistry.open();
				LabNodes nodes = LabNodes.start(1, false, false, processRegistry)) {
			LabNode node = nodes.node(1);
			StalledReplication stalled = new StalledReplication(node, processRegistry);
			stalled.inject();
			node.kill();
			PromotedReplica promoted = new PromotedReplica(stalled);
			promoted.inject();
			assertThat(promoted.isComplete()).isTrue();
			node.kill();
			node.restart();
			assertThat(node.ask("ROLE")).startsWith("master");
			promoted.undo();
			stalled.undo();
			node.kill();
			node.restart();
			assertThat(node.ask("ROLE")).startsWith("master");
		}
	}

	/**
	 * Whether a recorded process is alive. Only the lab and the store are, because the
	 * node was restarted.
	 */
	private static boolean isAlive(String line) {
		return ProcessHandle.of(Long.parseLong(line.split(" ")[0])).filter(ProcessHandle::isAlive).isPresent();
	}

}
