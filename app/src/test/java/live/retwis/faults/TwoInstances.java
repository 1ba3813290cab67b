package live.retwis.faults;

import java.util.Random;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two instances for the tests of a class, with a data node that may be harmed. They serve
 * twenty-two streams, most of which come and go, while something breaks: nobody misses a
 * post that was acknowledged, none comes twice, and all come in the order of the log.
 */
abstract class TwoInstances {

	static final Logger log = LoggerFactory.getLogger(TwoInstances.class);

	private static final long SEED = Long.getLong("chaos.seed", System.nanoTime());

	static final Random random = new Random(SEED);

	@SuppressWarnings("NullAway.Init")
	static HarmedDataNode store;

	@SuppressWarnings("NullAway.Init")
	static Instances instances;

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

	/**
	 * Starts writers and readers at both instances.
	 * @param pauseMillis how long a writer waits between two posts
	 */
	static Workload workload(int writers, int pauseMillis) {
		return workload(instances.balancer(), writers, pauseMillis);
	}

	static Workload workload(LoadBalancer balancer, int writers, int pauseMillis) {
		return Workload.start(people, balancer, store, random, writers, pauseMillis);
	}

}
