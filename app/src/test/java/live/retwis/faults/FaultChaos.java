package live.retwis.faults;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The checks of {@link FaultTests}, with faults that take longer.
 */
@Timeout(300)
class FaultChaos extends TwoInstances {

	/** Time after which an instance that was asked to stop has stopped. */
	private static final Duration DRAIN = Duration.ofSeconds(20);

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private static final int WRITERS = 16;

	/** Of a writer, between two posts. */
	private static final int PAUSE_MILLIS = 50;

	@Test
	void nothingIsLostWhileTheDataNodeIsPausedForTenSeconds() {
		try (Workload workload = workload(WRITERS, PAUSE_MILLIS)) {
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
		try (Workload workload = workload(WRITERS, PAUSE_MILLIS)) {
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
	void aRollingRestart() {
		try (Workload workload = workload(WRITERS, PAUSE_MILLIS)) {
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

}
