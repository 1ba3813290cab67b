package live.retwis.faults;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.lettuce.core.XAddArgs;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replica that lags takes the place of the data node. A reader who saw a lost entry
 * gets a reset, and no reader misses anything else.
 */
@Timeout(120)
class FailOverTests {

	private static final Logger log = LoggerFactory.getLogger(FailOverTests.class);

	private static final int HOUR_MILLIS = 3_600_000;

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	/**
	 * If the replica's clock is behind the newest entry, new entries get the ids of lost
	 * ones.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aLaggingReplicaThatGivesTheSameIdsAgainCausesOnlyResets() {
		log.info("-Dchaos.seed={}", this.seed);
		try (HarmedDataNode master = HarmedDataNode.start();
				FaultProxy way = FaultProxy.to("127.0.0.1", master.process().port());
				FaultProxy otherWay = FaultProxy.to("127.0.0.1", master.process().port());
				Site first = Site.startAt("127.0.0.1", way.port());
				Site second = Site.startAt("127.0.0.1", otherWay.port())) {
			LoadBalancer balancer = new LoadBalancer(Stream.of(first, second).map((site) -> site.url("")).toList());
			Random random = new Random(this.seed);
			master.commands()
				.xadd(Keys.LOG, new XAddArgs().id(System.currentTimeMillis() + HOUR_MILLIS + "-0"),
						Map.of("nonce", "ahead"));
			WorkloadPeople people = WorkloadPeople.register(balancer, random);
			try (HarmedDataNode replica = HarmedDataNode.replicaOf(master, Map.of())) {
				WorkloadHistory history = new FailOver(master, replica, List.of(way, otherWay)).under(balancer, people,
						random);
				history.assertWholeExceptTheCut();
				assertThat(history.lost()).isNotEmpty();
			}
		}
	}

}
