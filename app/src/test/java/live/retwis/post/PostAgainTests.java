package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Posts while the connection to Redis breaks again and again. The server itself repeats
 * what the form asks for.
 */
@ExtendWith(RedisExtension.class)
class PostAgainTests {

	private static final Logger log = LoggerFactory.getLogger(PostAgainTests.class);

	private static final int POSTS = 20;

	private static final int CUTS = 5;

	private static final Duration BOUND = Duration.ofSeconds(20);

	/**
	 * From when the site has connected again, and has made a post, until the next cut.
	 */
	private static final Duration CONNECTED = Duration.ofMillis(350);

	/** Between two cuts at fixed times. */
	private static final Duration DISTANCE = Duration.ofMillis(300);

	/** How long connections are cut at fixed times. */
	private static final Duration CUTTING = Duration.ofSeconds(8);

	/** How long the server tries to make a post. */
	private static final Duration REQUEST = Duration.ofMillis(2500);

	@Test
	@Tag("slow")
	void everyFormMakesItsPostWhileAllConnectionsAreCutAgainAndAgain(@OwnRedis TestRedis redis) {
		long seed = System.nanoTime();
		log.info("Seed {}", seed);
		Random random = new Random(seed);
		ScheduledExecutorService cuts = Executors.newSingleThreadScheduledExecutor();
		try (FaultProxy proxy = redis.proxy(); Site site = Site.startAt("127.0.0.1", proxy.port())) {
			Visitor alice = Visitor.registered(site);
			alice.get("/home");
			List<String> texts = new ArrayList<>();
			int connections = proxy.connections();
			AtomicInteger cut = new AtomicInteger();
			AtomicInteger made = new AtomicInteger();
			cuts.scheduleWithFixedDelay(() -> {
				int before = made.get();
				proxy.breakSome(random, 1);
				// On a busy machine several cuts could take up all the time of one
				// request.
				Awaitility.await().atMost(BOUND).until(() -> proxy.connections() >= connections && made.get() > before);
				cut.incrementAndGet();
			}, 0, CONNECTED.toMillis(), TimeUnit.MILLISECONDS);
			for (int i = 0; i < POSTS || cut.get() < CUTS; i++) {
				texts.add("post " + i);
				Answer answer = alice.submit("/posts", "body", texts.get(i), "once", UUID.randomUUID().toString());
				assertThat(answer.status()).as(texts.get(i)).isEqualTo(303);
				made.incrementAndGet();
			}
			cuts.shutdownNow();
			Collections.reverse(texts);
			assertThat(stored(site, alice)).containsExactlyElementsOf(texts);
		}
		finally {
			cuts.shutdownNow();
		}
	}

	/**
	 * A form may meet several cuts here. So some may be refused, but each only after the
	 * server has tried for as long as a request may take.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aFormIsRefusedOnlyWhenItsTimeIsOverWhileAllConnectionsAreCutAtFixedTimes(@OwnRedis TestRedis redis) {
		ScheduledExecutorService cuts = Executors.newSingleThreadScheduledExecutor();
		try (FaultProxy proxy = redis.proxy(); Site site = Site.startAt("127.0.0.1", proxy.port())) {
			Visitor alice = Visitor.registered(site);
			alice.get("/home");
			List<String> texts = new ArrayList<>();
			Map<String, String> refused = new LinkedHashMap<>();
			AtomicInteger cut = new AtomicInteger();
			cuts.scheduleAtFixedRate(() -> {
				proxy.breakSome(new Random(), 1);
				cut.incrementAndGet();
			}, 0, DISTANCE.toMillis(), TimeUnit.MILLISECONDS);
			long began = System.nanoTime();
			while (since(began).compareTo(CUTTING) < 0) {
				String text = "post " + texts.size();
				String once = UUID.randomUUID().toString();
				texts.add(text);
				long sent = System.nanoTime();
				int status = alice.submit("/posts", "body", text, "once", once).status();
				if (status != 303) {
					assertThat(status).as(text).isEqualTo(503);
					assertThat(since(sent)).as("tried again and again: %s", text).isGreaterThanOrEqualTo(REQUEST);
					refused.put(text, once);
				}
			}
			cuts.shutdownNow();
			log.info("{} of {} forms were refused, with {} cuts", refused.size(), texts.size(), cut);
			assertThat(cut).hasValueGreaterThan(CUTS);
			Awaitility.await().atMost(BOUND).until(() -> alice.get("/home").status() == 200);
			refused.forEach((text, once) -> assertThat(alice.submit("/posts", "body", text, "once", once).status())
				.isEqualTo(303));
			assertThat(stored(site, alice)).containsExactlyInAnyOrderElementsOf(texts);
		}
		finally {
			cuts.shutdownNow();
		}
	}

	private static Duration since(long began) {
		return Duration.ofNanos(System.nanoTime() - began);
	}

	private static List<String> stored(Site site, Visitor author) {
		return site.redis()
			.zrevrange("{live}:public", 0, -1)
			.stream()
			.map((id) -> site.redis().hgetall("post:" + id))
			.filter((post) -> author.id().equals(post.get("author")))
			.map((post) -> post.get("body"))
			.toList();
	}

}
