package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import live.retwis.doctor.Doctor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An account with 100,000 posts and 100,000 followers is deleted while others use the
 * site.
 */
class BigAccountChaos {

	private static final int POSTS = 100_000;

	private static final int FANS = 100_000;

	private static final int SHARD = 10_000;

	private static final int BATCH = 1000;

	private static final Duration LIVE = Duration.ofSeconds(1);

	/** More entries than the posts of the test make. */
	private static final int LOG_BOUND = 20_000;

	private static String post(int number) {
		return "0B%011d".formatted(number);
	}

	/** Adds old posts to an author. */
	private static void plant(int port, Visitor author) {
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			RedisAsyncCommands<String, String> commands = connection.async();
			for (int first = 0; first < POSTS; first += BATCH) {
				connection.setAutoFlushCommands(false);
				List<RedisFuture<?>> answers = new ArrayList<>();
				for (int i = first; i < first + BATCH; i++) {
					answers.add(commands.hset(Keys.post(post(i)), Map.of("author", author.id(), "username",
							author.name(), "created", Integer.toString(i), "body", "planted")));
					answers.add(commands.zadd(Keys.postsOf(author.id()), (double) i, post(i)));
				}
				connection.flushCommands();
				LettuceFutures.awaitAll(60, TimeUnit.SECONDS, answers.toArray(RedisFuture<?>[]::new));
			}
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	@Timeout(1200)
	void isRemovedWhilePostsStillArriveWithinASecondAndNoStreamIsReset() {
		try (HarmedDataNode store = HarmedDataNode.start();
				Instances instances = Instances.start(store, "--retwis.follow.shard=" + SHARD)) {
			Visitor leaver = Visitor.registered(instances.get(0).origin());
			plant(store.process().port(), leaver);
			try (SeededFollowers fans = SeededFollowers.plant("127.0.0.1", store.process().port(), leaver.id(), FANS,
					SHARD)) {
				fans.read(post(POSTS - 1), POSTS - 1);
				Visitor writer = Visitor.registered(instances.get(0).origin());
				Visitor reader = Visitor.registered(instances.get(1).origin());
				reader.follow(writer);
				reader.follow(leaver);
				try (EventStream home = reader.open("/live/home"); EventStream everyone = reader.open("/live/public")) {
					List.of(home, everyone)
						.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
					leaver.get("/settings");
					assertThat(leaver.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
					long begun = System.nanoTime();
					int posts = 0;
					Duration slowest = Duration.ZERO;
					long longest = 0;
					while (store.commands().exists("username:" + leaver.name()) > 0) {
						String text = "beside it " + posts++;
						long sent = System.nanoTime();
						writer.post(text);
						everyone.awaitPost(text);
						home.awaitPost(text);
						Duration took = Duration.ofNanos(System.nanoTime() - sent);
						slowest = (took.compareTo(slowest) > 0) ? took : slowest;
						Answer page = reader.get("/home");
						assertThat(page.posts()).startsWith(text).doesNotContain("planted");
						longest = Math.max(longest, store.commands().xlen(Keys.LOG));
					}
					System.out.printf(
							"cleared away in %d s beside %d posts, the slowest live after %d ms, log at most %d%n",
							Duration.ofNanos(System.nanoTime() - begun).toSeconds(), posts, slowest.toMillis(),
							longest);
					assertThat(slowest).isLessThan(LIVE);
					assertThat(longest).isLessThan(LOG_BOUND);
					for (EventStream stream : List.of(home, everyone)) {
						assertThat(stream.events("gone")).hasSize(1);
						assertThat(stream.events("reset")).isEmpty();
						assertThat(stream.events("delete")).isEmpty();
					}
				}
				assertThat(fans.following()).isEmpty();
				assertThat(fans.have(post(POSTS - 1))).isEmpty();
			}
			assertNothingIsLeft(store);
		}
	}

	private static void assertNothingIsLeft(HarmedDataNode store) {
		try (Site site = Site.startAt("127.0.0.1", store.process().port(), "--retwis.follow.shard=" + SHARD)) {
			assertThat(Objects.requireNonNull(site.bean(Doctor.class).examine(false, true, (progress) -> {
			}).map(Doctor.Line::text).collectList().block(Duration.ofMinutes(5)))).singleElement()
				.asString()
				.endsWith("every rule holds.");
		}
	}

}
