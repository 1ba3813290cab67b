package live.retwis.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The clocks of the machines differ. The data node's clock counts. After a fail-over even
 * that clock goes back.
 */
@Timeout(300)
class ClockChaos {

	private static final Logger log = LoggerFactory.getLogger(ClockChaos.class);

	private static final Duration AHEAD = Duration.ofMinutes(4);

	private static final Duration BEHIND = Duration.ofMinutes(-7);

	private static final Duration SLOW = Duration.ofMinutes(-5);

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final ClockShim shim = ClockShim.compile();

	@Test
	void instancesWithWrongClocksAgreeAboutPostsAndTheirTimes() {
		log.info("-Dchaos.seed={}", this.seed);
		try (HarmedDataNode store = HarmedDataNode.start();
				Instances instances = Instances.start(store, this.shim.off(AHEAD), this.shim.off(BEHIND))) {
			assertClock(instances.get(0), AHEAD);
			assertClock(instances.get(1), BEHIND);
			WorkloadPeople people = WorkloadPeople.register(instances.balancer(), this.random);
			try (Workload workload = Workload.start(people, instances.balancer(), store, this.random, 8, 20)) {
				workload.awaitPosts(300);
				workload.settle(store).assertWhole();
			}
			for (int i = 0; i < 2; i++) {
				Visitor author = people.authors().get(0).sentTo(instances.get(i).origin());
				author.post("what time is it?");
				Instant made = Instant
					.parse(author.getJson("/home").json().get("posts").get(0).get("created_at").asString());
				assertThat(Duration.between(made, Instant.now()).abs()).isLessThan(Duration.ofSeconds(5));
			}
		}
	}

	@Test
	void nothingElseIsLostWhenALaggingReplicaWithASlowClockIsPromoted() {
		log.info("-Dchaos.seed={}", this.seed);
		try (HarmedDataNode master = HarmedDataNode.start();
				Instances instances = Instances.start(master, this.shim.off(AHEAD), Map.of())) {
			WorkloadPeople people = WorkloadPeople.register(instances.balancer(), this.random);
			try (HarmedDataNode replica = HarmedDataNode.replicaOf(master, this.shim.off(SLOW))) {
				assertThat(Duration
					.ofSeconds(Long.parseLong(replica.commands().time().get(0)) - Instant.now().getEpochSecond()))
					.isCloseTo(SLOW, Duration.ofSeconds(5));
				WorkloadHistory history = new FailOver(master, replica, List.of(instances.way(0), instances.way(1)))
					.under(instances.balancer(), people, this.random);
				history.assertWholeExceptTheCut();
				log.info("{} acknowledged posts lost with the master, {} streams reset", history.lost().size(),
						history.readings().stream().filter(ReaderLog::hasReset).count());
				assertThat(history.lost()).isNotEmpty();
			}
		}
	}

	/** Checks the clock of the process by the time that it logged at its start. */
	private static void assertClock(SiteProcess process, Duration offset) {
		double started = Double.parseDouble(Visitor.at(process.management())
			.get("/actuator/prometheus")
			.find("(?m)^process_start_time_seconds (\\S+)$"));
		assertThat(started - Instant.now().getEpochSecond()).isCloseTo(offset.toSeconds(), within(120.0));
	}

}
