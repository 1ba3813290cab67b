package live.retwis.cluster;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.cluster.ClusterParts.Plan;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ClusterFaultInjectorTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Longer than until a request is carried out. */
	private static final Duration MOMENT = Duration.ofMillis(1_500);

	private static final ClusterFaultRequest REQUEST = new ClusterFaultRequest(ClusterFaultKind.KILL_LOCK_NODE, "",
			ClusterFaultRequest.MOST_SECONDS, "ann");

	private final AtomicInteger broken = new AtomicInteger();

	private ClusterFaultInjector healingBy(Runnable mending) {
		return new ClusterFaultInjector((request) -> new Plan("lock-1", this.broken::incrementAndGet), mending);
	}

	private static ClusterFaultRecord latest(ClusterFaultInjector injector) {
		return Objects.requireNonNull(injector.latest());
	}

	@Test
	@Tag("slow")
	void whatCannotBeMendedAtOnceIsMendedLater() {
		AtomicInteger mended = new AtomicInteger();
		try (ClusterFaultInjector injector = healingBy(() -> {
			if (mended.incrementAndGet() == 1) {
				throw new IllegalStateException("A server does not start");
			}
		})) {
			injector.begin(REQUEST);
			Awaitility.await().atMost(SOON).until(() -> this.broken.get() == 1);
			injector.heal(10, TimeUnit.SECONDS);
			assertThat(latest(injector).isActive()).isTrue();
			Awaitility.await().atMost(SOON).until(() -> !latest(injector).isActive());
			assertThat(mended).hasValue(2);
		}
	}

	@Test
	void theStateIsReadWhileSomethingIsMended() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		try (ClusterFaultInjector injector = healingBy(() -> {
			begun.countDown();
			await(go);
		})) {
			injector.begin(REQUEST);
			injector.heal(1, TimeUnit.MILLISECONDS);
			assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(latest(injector).isActive()).isTrue();
			assertThatThrownBy(() -> injector.begin(REQUEST)).isInstanceOf(ClusterException.class);
			go.countDown();
			Awaitility.await().atMost(SOON).until(() -> !latest(injector).isActive());
			assertThat(this.broken).as("healed before its moment").hasValue(0);
			Awaitility.await().during(MOMENT).atMost(SOON).untilAsserted(() -> assertThat(this.broken).hasValue(0));
		}
	}

	@Test
	void theEndWaitsForWhatIsBeingMendedAndNothingFollows() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger mended = new AtomicInteger();
		ClusterFaultInjector injector = healingBy(() -> {
			begun.countDown();
			await(go);
			mended.incrementAndGet();
		});
		injector.begin(REQUEST);
		injector.heal(1, TimeUnit.MILLISECONDS);
		assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
		Thread end = new Thread(injector::close);
		end.start();
		Awaitility.await().during(Duration.ofMillis(300)).atMost(SOON).until(end::isAlive);
		assertThat(mended).as("not broken off").hasValue(0);
		go.countDown();
		end.join();
		assertThat(mended).hasValue(1);
		assertThatThrownBy(() -> injector.begin(REQUEST)).isInstanceOf(ClusterException.class);
		assertThatThrownBy(() -> injector.heal(1, TimeUnit.SECONDS)).isInstanceOf(ClusterException.class);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
