package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The doctor examines what two instances write while lock nodes die and come back. At
 * times there is no majority. {@code -Dchaos.seed} repeats the choice of nodes.
 */
@Timeout(180)
@ExtendWith(RedisExtension.class)
class DoctorBesideChaos {

	private static final int PEOPLE = 4;

	private static final int LOCK_NODES = 5;

	/**
	 * The most nodes that are dead at once. With three of five dead there is no majority.
	 */
	private static final int MOST_DEAD = 3;

	private static final int DEATHS = 40;

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final AtomicBoolean end = new AtomicBoolean();

	private final AtomicInteger registered = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private final AtomicInteger everywhere = new AtomicInteger();

	@Test
	void findsNothingWhileLockNodesDieAndComeBack(@OwnRedis TestRedis redis)
			throws InterruptedException, ExecutionException, TimeoutException {
		System.out.println("-Dchaos.seed=" + this.seed);
		ExecutorService threads = Executors.newFixedThreadPool(PEOPLE + 1);
		try (LockServers locks = new LockServers(LOCK_NODES);
				ExaminedSite store = ExaminedSite.start(redis, locks.setting());
				Site second = Site.start(redis, locks.setting(), "--retwis.locks.lease=1s")) {
			leaveASessionOfAnEarlierLogOut(store.site());
			List<Future<Void>> people = new ArrayList<>();
			for (int i = 0; i < PEOPLE; i++) {
				Site site = (i % 2 == 0) ? store.site() : second;
				people.add(threads.submit(untilTheEnd(() -> live(site))));
			}
			Future<Void> deaths = threads.submit(untilTheEnd(() -> killAndRestart(locks)));
			List<String> told = new ArrayList<>();
			while (!deaths.isDone() && people.stream().noneMatch(Future::isDone)) {
				told.addAll(store.examine());
			}
			this.end.set(true);
			deaths.get(20, TimeUnit.SECONDS);
			for (Future<Void> person : people) {
				person.get(20, TimeUnit.SECONDS);
			}
			System.out.println(told.size() + " examinations, " + this.registered + " registered, " + this.refused
					+ " told to come back, " + this.everywhere + " logged out everywhere");
			assertThat(told).hasSizeGreaterThan(2).allSatisfy((line) -> assertThat(line).contains("every rule holds"));
			assertThat(store.waitAndExamine()).singleElement().asString().contains("every rule holds.");
			assertThat(List.of(this.registered, this.refused, this.everywhere))
				.allSatisfy((count) -> assertThat(count).hasPositiveValue());
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Leaves a session of an earlier log-out, so that each examination has something to
	 * look at twice and takes longer.
	 */
	private static void leaveASessionOfAnEarlierLogOut(Site site) {
		Visitor person = Visitor.registered(site);
		Visitor.signedIn(site, person.name());
		person.get("/home");
		person.submit("/logout");
	}

	private Callable<Void> untilTheEnd(Runnable work) {
		return () -> {
			work.run();
			return null;
		};
	}

	/** Users come and go. */
	private void live(Site site) {
		while (!this.end.get()) {
			Visitor person = Visitor.of(site);
			person.get("/register");
			int status = person.register(Visitor.freshName(), Visitor.PASSWORD).status();
			assertThat(status).isIn(303, 503);
			((status == 303) ? this.registered : this.refused).incrementAndGet();
			if (status == 303) {
				Visitor phone = Visitor.signedIn(site, person.name());
				person.get("/home");
				boolean all = person.submit("/logout").location().equals("/");
				assertThat(phone.isSignedIn()).isEqualTo(!all);
				this.everywhere.addAndGet(all ? 1 : 0);
			}
		}
	}

	private void killAndRestart(LockServers locks) {
		for (int i = 0; i < DEATHS && !this.end.get(); i++) {
			int first = this.random.nextInt(LOCK_NODES);
			int dead = 1 + this.random.nextInt(MOST_DEAD);
			for (int j = 0; j < dead; j++) {
				locks.node((first + j) % LOCK_NODES).kill();
			}
			// Long enough for a waiting registration to be refused.
			int before = this.registered.get() + this.refused.get();
			Awaitility.await()
				.atMost(20, TimeUnit.SECONDS)
				.until(() -> this.end.get() || this.registered.get() + this.refused.get() > before + PEOPLE);
			for (int j = 0; j < dead; j++) {
				locks.node((first + j) % LOCK_NODES).restart();
			}
		}
	}

}
