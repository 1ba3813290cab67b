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
class BreaksTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Longer than until an order is carried out. */
	private static final Duration MOMENT = Duration.ofMillis(1_500);

	private static final BreakOrder ORDER = new BreakOrder(BreakKind.KILL_LOCK_NODE, "", BreakOrder.MOST_SECONDS,
			"ann");

	private final AtomicInteger broken = new AtomicInteger();

	private Breaks breaks(Runnable mending) {
		return new Breaks((order) -> new Plan("lock-1", this.broken::incrementAndGet), mending);
	}

	private static BreakRecord latest(Breaks breaks) {
		return Objects.requireNonNull(breaks.latest());
	}

	@Test
	@Tag("slow")
	void whatCannotBeMendedAtOnceIsMendedLater() {
		AtomicInteger mended = new AtomicInteger();
		try (Breaks breaks = breaks(() -> {
			if (mended.incrementAndGet() == 1) {
				throw new IllegalStateException("A server does not start");
			}
		})) {
			breaks.begin(ORDER);
			Awaitility.await().atMost(SOON).until(() -> this.broken.get() == 1);
			breaks.heal(10, TimeUnit.SECONDS);
			assertThat(latest(breaks).isActive()).isTrue();
			Awaitility.await().atMost(SOON).until(() -> !latest(breaks).isActive());
			assertThat(mended).hasValue(2);
		}
	}

	@Test
	void theStateIsReadWhileSomethingIsMended() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		try (Breaks breaks = breaks(() -> {
			begun.countDown();
			await(go);
		})) {
			breaks.begin(ORDER);
			breaks.heal(1, TimeUnit.MILLISECONDS);
			assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(latest(breaks).isActive()).isTrue();
			assertThatThrownBy(() -> breaks.begin(ORDER)).isInstanceOf(ClusterException.class);
			go.countDown();
			Awaitility.await().atMost(SOON).until(() -> !latest(breaks).isActive());
			assertThat(this.broken).as("healed before its moment").hasValue(0);
			Awaitility.await().during(MOMENT).atMost(SOON).untilAsserted(() -> assertThat(this.broken).hasValue(0));
		}
	}

	@Test
	void theEndWaitsForWhatIsBeingMendedAndNothingFollows() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger mended = new AtomicInteger();
		Breaks breaks = breaks(() -> {
			begun.countDown();
			await(go);
			mended.incrementAndGet();
		});
		breaks.begin(ORDER);
		breaks.heal(1, TimeUnit.MILLISECONDS);
		assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
		Thread end = new Thread(breaks::close);
		end.start();
		Awaitility.await().during(Duration.ofMillis(300)).atMost(SOON).until(end::isAlive);
		assertThat(mended).as("not broken off").hasValue(0);
		go.countDown();
		end.join();
		assertThat(mended).hasValue(1);
		assertThatThrownBy(() -> breaks.begin(ORDER)).isInstanceOf(ClusterException.class);
		assertThatThrownBy(() -> breaks.heal(1, TimeUnit.SECONDS)).isInstanceOf(ClusterException.class);
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
