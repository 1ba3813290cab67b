package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.demo.Demo;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The doctor finds nothing wrong in what the site writes, whatever the site is doing.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DoctorBesideTests {

	private static final int PEOPLE = 3;

	/** Number of actions of all users during the examinations. */
	private static final int ROUNDS = 40;

	private final AtomicInteger rounds = new AtomicInteger();

	@Test
	@Tag("slow")
	@Tag("long")
	void findsNothingWrongWhileUsersUseTheSite(@OwnRedis TestRedis redis)
			throws InterruptedException, ExecutionException, TimeoutException {
		ExecutorService threads = Executors.newFixedThreadPool(PEOPLE);
		try (ExaminedSite store = ExaminedSite.start(redis)) {
			AtomicBoolean end = new AtomicBoolean();
			List<Future<?>> people = new ArrayList<>();
			for (int i = 0; i < PEOPLE; i++) {
				people.add(threads.submit(() -> live(store.site(), end)));
			}
			List<String> told = new ArrayList<>();
			while (this.rounds.get() < ROUNDS && people.stream().noneMatch(Future::isDone)) {
				told.addAll(store.examine());
			}
			end.set(true);
			for (Future<?> person : people) {
				person.get(20, TimeUnit.SECONDS);
			}
			assertThat(told).hasSizeGreaterThan(2).allSatisfy((line) -> assertThat(line).contains("every rule holds"));
			assertThat(store.waitAndExamine()).singleElement().asString().contains("every rule holds.");
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** A user who does and undoes everything that the site offers. */
	private void live(Site site, AtomicBoolean end) {
		Visitor friend = Visitor.registered(site);
		while (!end.get()) {
			Visitor person = Visitor.registered(site);
			person.follow(friend);
			friend.follow(person);
			String post = person.post("soon deleted");
			friend.post("another");
			check(person.submit("/posts/" + post + "/delete"));
			check(person.submit("/@" + friend.name() + "/unfollow"));
			check(person.submit("/logout"));
			this.rounds.incrementAndGet();
		}
	}

	private static void check(Answer answer) {
		assertThat(answer.status()).isEqualTo(303);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theStoreOfTheDemoKeepsEveryRule(@OwnRedis TestRedis redis) {
		try (ExaminedSite store = ExaminedSite.start(redis)) {
			store.bean(Demo.class).run(false, 7).takeUntil((line) -> line.startsWith("They have posted")).blockLast();
			assertThat(store.redis().dbsize()).isGreaterThan(300);
			assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
		}
	}

}
