package live.retwis.faults;

import java.time.Duration;
import java.util.Random;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks of {@link FaultTests}, with faults that take longer.
 */
@Timeout(300)
class FaultChaos {

	private static final Logger log = LoggerFactory.getLogger(FaultChaos.class);

	/** Time after which an instance that was asked to stop has stopped. */
	private static final Duration DRAIN = Duration.ofSeconds(20);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private static final int WRITERS = 16;

	private static final long SEED = Long.getLong("chaos.seed", System.nanoTime());

	private static final Random random = new Random(SEED);

	@SuppressWarnings("NullAway.Init")
	private static HarmedDataNode store;

	@SuppressWarnings("NullAway.Init")
	private static Instances instances;

	@SuppressWarnings("NullAway.Init")
	private static WorkloadPeople people;

	@BeforeAll
	static void start() {
		log.info("-Dchaos.seed={}", SEED);
		store = HarmedDataNode.start();
		instances = Instances.start(store);
		people = WorkloadPeople.register(instances.balancer(), random);
	}

	@AfterAll
	static void stop() {
		instances.close();
		store.close();
	}

	@Test
	void nothingIsLostWhileTheDataNodeIsPausedForTenSeconds() {
		try (Workload workload = start(WRITERS)) {
			workload.awaitPosts(100);
			store.process().pause();
			int before = workload.acknowledged();
			Awaitility.await("silence")
				.during(PAUSE)
				.atMost(PAUSE.plusSeconds(2))
				.until(() -> workload.acknowledged() <= before + WRITERS);
			store.process().resume();
			workload.awaitPosts(100);
			workload.settle(store).assertWhole();
		}
	}

	@Test
	void nothingIsLostWhileInstancesAreKilledOneAfterTheOther() {
		try (Workload workload = start(WRITERS)) {
			for (int number = 0; number < 2; number++) {
				workload.awaitPosts(100);
				instances.get(number).kill();
				workload.awaitPosts(100);
				instances.startAnew(number);
			}
			workload.awaitPosts(100);
			workload.settle(store).assertWhole();
		}
	}

	@Test
	void nothingIsLostDuringARollingRestart() {
		try (Workload workload = start(WRITERS)) {
			for (int number = 0; number < 2; number++) {
				workload.awaitPosts(100);
				long asked = System.nanoTime();
				instances.get(number).terminate(DRAIN);
				log.info("Instance {} ended in {} ms", number, Duration.ofNanos(System.nanoTime() - asked).toMillis());
				workload.awaitPosts(100);
				instances.startAnew(number);
			}
			workload.awaitPosts(100);
			workload.settle(store).assertWhole();
			log.info("{} forms were sent again", workload.repeated());
		}
	}

	private static Workload start(int writers) {
		return Workload.start(people, instances.balancer(), store, random, writers, 50);
	}

}
