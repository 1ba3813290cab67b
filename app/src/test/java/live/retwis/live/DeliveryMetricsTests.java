package live.retwis.live;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.live.DeliveryMetrics.Delays;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogEntry;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.data.Percentage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metrics about the delivery of log entries.
 */
@ExtendWith(RedisExtension.class)
class DeliveryMetricsTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private long now;

	private final DeliveryMetrics trace = new DeliveryMetrics(this.meters, () -> OptionalLong.of(this.now));

	@Test
	void delaysAreCountedFromTheCommit() {
		LogEntry entry = Entries.post(1, "a", "alice").entry();
		LongStream.rangeClosed(1, 100).forEach((delay) -> {
			this.now = (entry.position().millis() + delay) * 1000;
			this.trace.received(entry);
			this.now += 100_000;
			this.trace.written(entry);
		});
		close(this.trace.receivedAfter(), 50, 99, 100);
		close(this.trace.writtenAfter(), 150, 199, 200);
	}

	/** Percentiles are exact to one percent. */
	private static void close(Delays delays, double p50, double p99, double max) {
		assertThat(delays.p50()).isCloseTo(p50, Percentage.withPercentage(1));
		assertThat(delays.p99()).isCloseTo(p99, Percentage.withPercentage(1));
		assertThat(delays.max()).isEqualTo(max);
	}

	@Test
	void aCommitInTheFutureCountsAsNoDelay() {
		this.now = (Entries.at(1).millis() - 5) * 1000;
		this.trace.received(Entries.post(1, "a", "alice").entry());
		assertThat(this.trace.receivedAfter()).isEqualTo(new Delays(0.1, 0.1, 0.1));
	}

	@Test
	void nothingIsMeasuredBeforeTheDataNodesTimeIsKnown() {
		DeliveryMetrics early = new DeliveryMetrics(this.meters, OptionalLong::empty);
		early.received(Entries.post(1, "a", "alice").entry());
		assertThat(this.meters.get("retwis.live.received").timer().count()).isZero();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void operatorsSeeDelaysGapsReplaysDeadSubscriptionsAndOpenStreams(@OwnRedis TestRedis redis) {
		try (FaultProxy proxy = redis.proxy(); Site site = Site.startAt("127.0.0.1", proxy.port())) {
			Visitor alice = Visitor.registered(site);
			Visitor operator = Visitor.ofManagement(site);
			try (EventStream home = alice.open("/live/home"); EventStream everyone = alice.open("/live/public")) {
				home.awaitPost(alice.post("told by the bus"));
				try (Interception silence = proxy.silence("SUBSCRIBE")) {
					home.awaitPost(alice.post("found in the log"));
					awaitMetric(operator, "retwis_live_subscriptions_replaced_total [1-9]");
				}
				try (EventStream again = alice.open("/live/public", "Last-Event-ID", home.events().get(0).id())) {
					again.awaitPost("found in the log");
					for (String metric : new String[] { "retwis_live_received_seconds_bucket\\{le=\"10.0\"\\} [2-9]",
							"retwis_live_received_seconds_max [0-9]", "retwis_live_received_seconds_count [2-9]",
							"retwis_live_written_seconds_bucket\\{le=\"10.0\"\\} [2-9]",
							"retwis_live_written_seconds_count [2-9]", "retwis_live_gaps_count [1-9]",
							"retwis_live_gaps_sum [1-9]", "retwis_live_replays_count 1", "retwis_live_replays_sum 2",
							"retwis_live_cut_off_total 0", "retwis_live_resets_total 0",
							"retwis_live_streams\\{kind=\"home\"\\} 1", "retwis_live_streams\\{kind=\"everyone\"\\} 2",
							"retwis_live_streams\\{kind=\"author\"\\} 0" }) {
						awaitMetric(operator, metric);
					}
				}
			}
			awaitMetric(operator, "retwis_live_streams\\{kind=\"everyone\"\\} 0");
			try (EventStream unknown = alice.open("/live/public", "Last-Event-ID", "nonsense")) {
				unknown.await((event) -> event.name().equals("reset"));
				awaitMetric(operator, "retwis_live_resets_total 1");
			}
			try (EventStream open = alice.open("/live/public"); EventStream home = alice.open("/live/home")) {
				home.await((event) -> event.name().equals("position"));
				open.await((event) -> event.name().equals("position"));
				site.redis().del("{live}:log");
				home.await((event) -> event.name().equals("reset"));
				open.await((event) -> event.name().equals("reset"));
				awaitMetric(operator, "retwis_live_resets_total 3");
			}
		}
	}

	private static void awaitMetric(Visitor operator, String pattern) {
		Awaitility.await(pattern)
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(operator.get("/actuator/prometheus").body()).containsPattern(pattern));
	}

}
