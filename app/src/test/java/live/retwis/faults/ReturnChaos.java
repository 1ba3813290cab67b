package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

import live.retwis.faults.StreamCrowd.Member;
import live.retwis.testing.EventStream;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of readers reconnect at once, as they do after a failure of the load
 * balancer.
 */
@Timeout(300)
class ReturnChaos {

	private static final Logger log = LoggerFactory.getLogger(ReturnChaos.class);

	private static final int STREAMS = 5000;

	private static final int MISSED = 20;

	/**
	 * Reads of the log by both instances together. The regular reads, one per instance
	 * and second, are not counted.
	 */
	private static final int MOST_READINGS = 20;

	private static final Duration QUIET = Duration.ofSeconds(4);

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@Test
	void fiveThousandReadersThatReconnectAtOnceMissNothingAndCostRedisNothing() {
		log.info("-Dchaos.seed={}", this.seed);
		try (HarmedDataNode store = HarmedDataNode.start();
				Instances instances = Instances.start(store);
				StreamCrowd crowd = new StreamCrowd(STREAMS)) {
			Visitor author = Visitor.registered(instances.get(0).origin());
			author.post("before");
			crowd.members().forEach((member) -> member.open(any(instances), ""));
			Awaitility.await("all streams")
				.atMost(LIMIT)
				.until(() -> crowd.members().stream().allMatch((member) -> member.text().contains("position")));
			String position = store.head().position().toString();
			crowd.members().forEach(Member::leave);
			List<String> missed = new ArrayList<>();
			for (int i = 0; i < MISSED; i++) {
				missed.add(author.post("missed"));
			}
			awaitKnown(instances, missed.get(MISSED - 1), position);
			long quiet = readingsWhile(store,
					() -> Awaitility.await("a quiet time").pollDelay(QUIET).until(() -> true));
			long started = System.nanoTime();
			long readings = readingsWhile(store, () -> comeBack(crowd, instances, position));
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			long caused = readings - quiet * took.toMillis() / QUIET.toMillis();
			log.info("{} streams were back after {} ms; {} readings of the log, {} more than in as long a quiet time",
					STREAMS, took.toMillis(), readings, caused);
			assertThat(caused).isLessThanOrEqualTo(MOST_READINGS);
			assertThat(crowd.members()).extracting(Member::posts).containsOnly(missed);
		}
	}

	private void comeBack(StreamCrowd crowd, Instances instances, String position) {
		crowd.members().forEach((member) -> member.open(any(instances), position));
		Awaitility.await("the missed posts")
			.atMost(LIMIT)
			.until(() -> crowd.members().stream().filter((member) -> member.posts().size() < MISSED).toList(),
					List::isEmpty);
	}

	private String any(Instances instances) {
		return instances.balancer().any(this.random) + "/live/public";
	}

	private static void awaitKnown(Instances instances, String post, String position) {
		for (int i = 0; i < 2; i++) {
			try (EventStream stream = Visitor.at(instances.get(i).origin()).open("/live/public?after=" + position)) {
				stream.awaitPost(post);
			}
		}
	}

	private static long readingsWhile(HarmedDataNode store, Runnable deed) {
		long before = readings(store);
		deed.run();
		return readings(store) - before;
	}

	/**
	 * Number of XRANGE and XREVRANGE commands, including those of scripts and of
	 * housekeeping.
	 */
	private static long readings(HarmedDataNode store) {
		return Pattern.compile("cmdstat_x(?:rev)?range:calls=(\\d+)")
			.matcher(store.commands().info("commandstats"))
			.results()
			.mapToLong((command) -> Long.parseLong(command.group(1)))
			.sum();
	}

}
