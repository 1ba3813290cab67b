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

import live.retwis.demo.Demo;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the site itself writes, in whatever state.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DoctorBesideTests {

	private static final int PEOPLE = 3;

	private static final int EXAMINATIONS = 4;

	@Test
	void findsNothingBesideALivingSite(@OwnRedis TestRedis redis)
			throws InterruptedException, ExecutionException, TimeoutException {
		ExecutorService threads = Executors.newFixedThreadPool(PEOPLE);
		try (Examined store = Examined.start(redis)) {
			AtomicBoolean end = new AtomicBoolean();
			List<Future<Integer>> people = new ArrayList<>();
			for (int i = 0; i < PEOPLE; i++) {
				people.add(threads.submit(() -> live(store.site(), end)));
			}
			List<String> told = new ArrayList<>();
			for (int i = 0; i < EXAMINATIONS; i++) {
				store.waitAndExamine().forEach(told::add);
			}
			end.set(true);
			for (Future<Integer> person : people) {
				assertThat(person.get(20, TimeUnit.SECONDS)).as("rounds of one person").isGreaterThan(2);
			}
			assertThat(told).hasSize(EXAMINATIONS)
				.allSatisfy((line) -> assertThat(line).contains("every rule holds").doesNotContain("left out"));
			assertThat(store.waitAndExamine()).singleElement().asString().contains("every rule holds.");
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Somebody who makes, undoes and ends everything that one can; tells how often. */
	private static int live(Site site, AtomicBoolean end) {
		int rounds = 0;
		Visitor friend = Visitor.registered(site);
		for (; !end.get(); rounds++) {
			Visitor person = Visitor.registered(site);
			person.follow(friend);
			friend.follow(person);
			String post = person.post("post of round " + rounds);
			friend.post("another");
			check(person.submit("/posts/" + post + "/delete"));
			check(person.submit("/@" + friend.name() + "/unfollow"));
			check(person.submit("/logout"));
		}
		return rounds;
	}

	private static void check(Answer answer) {
		assertThat(answer.status()).isEqualTo(303);
	}

	@Test
	void theDemosStoreKeepsEveryRule(@OwnRedis TestRedis redis) {
		try (Examined store = Examined.start(redis)) {
			store.bean(Demo.class).run(false, 7).takeUntil((line) -> line.startsWith("They have posted")).blockLast();
			assertThat(store.redis().dbsize()).isGreaterThan(300);
			assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
		}
	}

}
