package live.retwis.doctor;

import java.util.List;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The keys are spread over three masters.
 */
@Timeout(60)
class ClusterDoctorTests {

	private final ClusterServers cluster = ClusterServers.start();

	@AfterEach
	void stop() {
		this.cluster.close();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void examinesAndRepairsOnEachMasterOfACluster() {
		BrokenStore broken = new BrokenStore(this.cluster.commands(), System.currentTimeMillis());
		broken.beginLog();
		broken.all();
		List<RedisProcess> masters = this.cluster.masters();
		assertThat(masters).hasSize(3)
			.allSatisfy((master) -> assertThat(keysOn(master)).as("keys of each master").isGreaterThan(10));
		try (ExaminedSite store = ExaminedSite.startOn(this.cluster.settings(), "--retwis.timeline.size=5",
				"--retwis.timeline.public-size=5", "--retwis.follow.limit=4")) {
			List<String> told = store.waitAndExamine();
			assertThat(told.subList(0, told.size() - 1)).containsExactlyInAnyOrderElementsOf(broken.lines());
			List<String> fixed = store.fix();
			assertThat(fixed.subList(0, fixed.size() - 1)).containsExactlyInAnyOrderElementsOf(broken.fixedLines());
			broken.repairByHand();
			assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
		}
		assertThat(masters).allSatisfy(
				(master) -> assertThat(commandsOf(master)).contains("cmdstat_scan:").doesNotContain("cmdstat_keys:"));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeadMasterThatWasReplacedIsNotReported() {
		RedisProcess dead = this.cluster.masterOf(Keys.LOG);
		dead.kill();
		this.cluster.awaitFailOver(dead);
		try (ExaminedSite store = ExaminedSite.startOn(this.cluster.settings())) {
			Visitor.registered(store.site()).post("still here");
			assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
		}
	}

	private static long keysOn(RedisProcess node) {
		return NodeConnections.ask(node, RedisCommands::dbsize);
	}

	private static String commandsOf(RedisProcess node) {
		return NodeConnections.ask(node, (commands) -> commands.info("commandstats"));
	}

}
