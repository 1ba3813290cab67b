package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import live.retwis.account.KillScene.Death;
import live.retwis.account.KilledLogout.Devices;
import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance is killed at random moments while several users register and log out on it.
 * Its connection to the data node is slow, so that most of the time passes between
 * commands. {@code -Dchaos.seed} repeats the moments. {@code -Dchaos.kills} (10) is the
 * number of kills for each engine.
 */
@Timeout(600)
class KilledAtRandomChaos {

	private static final int PEOPLE = 6;

	private static final Duration DISTANCE = Duration.ofMillis(20);

	/** After this time all requests have begun, and most of them have ended. */
	private static final int LIFE_MILLIS = 1200;

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final int kills = Integer.getInteger("chaos.kills", 10);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private int guarded;

	private final Tally registrations = new Tally();

	private final Tally logouts = new Tally();

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "parallel" })
	void everyRequestOfTheDeadInstanceIsDoneCompletelyOrNotAtAll(String engine) {
		System.out.println("-Dchaos.seed=" + this.seed);
		try (KillScene scene = new KillScene(engine)) {
			for (int i = 0; i < this.kills; i++) {
				killOnce(scene);
			}
		}
		System.out.println(engine + ", under way at " + this.kills + " deaths: registrations " + this.registrations
				+ ", log-outs " + this.logouts + ", " + this.guarded + " of them under their lease");
		assertThat(this.guarded).isPositive();
	}

	private void killOnce(KillScene scene) {
		KilledRegistration registration = new KilledRegistration(scene);
		KilledLogout logout = new KilledLogout(scene);
		List<Visitor> newcomers = Simultaneous.times(PEOPLE, (i) -> newcomer(scene));
		List<Devices> devices = Simultaneous.times(PEOPLE, (i) -> logout.signIn());
		scene.victim().data().delay(DISTANCE);
		List<String> names = newcomers.stream().map((newcomer) -> Visitor.freshName()).toList();
		List<Deed> registering = IntStream.range(0, PEOPLE)
			.mapToObj((i) -> later(() -> newcomers.get(i).register(names.get(i), Visitor.PASSWORD)))
			.toList();
		List<Deed> loggingOut = devices.stream().map((own) -> later(() -> own.phone().submit("/logout"))).toList();
		Death death = CompletableFuture
			.supplyAsync(() -> new Death(scene.kill(), List.of(), 0, System.nanoTime()),
					after(LIFE_MILLIS / 4 + this.random.nextInt(LIFE_MILLIS)))
			.join();
		this.guarded += claimed(scene, names.stream().map((name) -> "username:" + name).toList(), registering);
		this.guarded += claimed(scene, devices.stream().map((own) -> "user:" + own.laptop().id()).toList(), loggingOut);
		Simultaneous.times(PEOPLE,
				(i) -> this.registrations.count(registering.get(i), registration.settle(names.get(i), death)));
		Simultaneous.times(PEOPLE, (i) -> this.logouts.count(loggingOut.get(i), !devices.get(i).areSignedIn()));
		devices.forEach(logout::endAll);
		scene.letArrive(death);
		names.forEach(registration::whole);
	}

	/** Counts the requests that were in progress and had their lease. */
	private static int claimed(KillScene scene, List<String> keys, List<Deed> deeds) {
		return (int) IntStream.range(0, PEOPLE)
			.filter((i) -> scene.survivor().redis().exists("fence:{" + keys.get(i) + "}") == 1
					&& deeds.get(i).answer().isEmpty())
			.count();
	}

	private static Visitor newcomer(KillScene scene) {
		Visitor newcomer = Visitor.at(scene.victim().origin());
		newcomer.get("/register");
		return newcomer;
	}

	private Deed later(Supplier<Answer> request) {
		CountDownLatch begun = new CountDownLatch(1);
		return new Deed(begun, CompletableFuture.supplyAsync(() -> {
			begun.countDown();
			return request.get().location();
		}, after(this.random.nextInt(LIFE_MILLIS))).exceptionally((broken) -> ""));
	}

	private Executor after(int millis) {
		return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, this.threads);
	}

	/**
	 * A request to the instance that will be killed.
	 *
	 * @param begun opens when the request has begun
	 * @param location target of the answer's redirect
	 */
	private record Deed(CountDownLatch begun, CompletableFuture<String> location) {

		/** The target of the answer's redirect; empty when there was no answer. */
		String answer() {
			return this.location.orTimeout(20, TimeUnit.SECONDS).join();
		}

	}

	/** Counts which of the interrupted requests are done. */
	private static final class Tally {

		private final AtomicInteger done = new AtomicInteger();

		private final AtomicInteger undone = new AtomicInteger();

		/** Counts a request. One with an answer must be done. */
		boolean count(Deed deed, boolean isDone) {
			String location = deed.answer();
			if (!location.isEmpty()) {
				assertThat(location).isIn("/", "/home");
				assertThat(isDone).as("done, as answered").isTrue();
			}
			else if (deed.begun().getCount() == 0) {
				(isDone ? this.done : this.undone).incrementAndGet();
			}
			return isDone;
		}

		@Override
		public String toString() {
			return this.done + " done, " + this.undone + " not";
		}

	}

}
