package live.retwis.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.OwnData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Authors with more than three followers are pulled. A shard holds two followers, and a
 * timeline 25 posts.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PushAndPullTests {

	private static final int SIZE = 25;

	private static final Duration BOUND = Duration.ofSeconds(20);

	/**
	 * The test has its own Redis, because the workers of other instances have other
	 * limits.
	 */
	private final OwnData data = OwnData.start();

	private Site site;

	@BeforeAll
	void start() {
		this.site = Site.startOn(this.data.settings(), "--retwis.timeline.push-limit=3", "--retwis.follow.shard=2",
				"--retwis.timeline.size=" + SIZE);
	}

	@AfterAll
	void stop() {
		this.site.close();
		this.data.close();
	}

	private List<Visitor> people(int count) {
		return IntStream.range(0, count).mapToObj((i) -> Visitor.registered(this.site)).toList();
	}

	private void settle() {
		FanOutWait.settle(this.site);
	}

	private String timeline(Visitor reader) {
		return Keys.homeTimeline(reader.id());
	}

	@Test
	void postsOfAuthorsWithManyFollowersArePulledAndOthersArePushed() {
		Visitor author = Visitor.registered(this.site);
		List<Visitor> readers = people(4);
		readers.subList(0, 3).forEach((reader) -> reader.follow(author));
		String pushed = author.post("pushed");
		settle();
		readers.get(3).follow(author);
		String pulled = author.post("pulled");
		settle();
		for (Visitor reader : readers) {
			assertThat(reader.get("/home").posts()).containsExactly("pulled", "pushed");
			assertThat(this.site.redis().zrange(timeline(reader), 0, -1)).containsExactly(pushed);
		}
		assertThat(this.site.redis().zrange("pulled:" + author.id(), 0, -1)).containsExactly(pulled);
		assertThat(author.get("/home").posts()).containsExactly("pulled", "pushed");
		assertThat(author.get("/@" + author.name()).posts()).containsExactly("pulled", "pushed");
	}

	@Test
	void pulledPostsAreInOrderBetweenPushedOnes() {
		Visitor big = Visitor.registered(this.site);
		Visitor small = Visitor.registered(this.site);
		List<Visitor> readers = people(4);
		readers.forEach((reader) -> reader.follow(big));
		readers.get(0).follow(small);
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			small.post("small " + i);
			big.post("big " + i);
			expected.addAll(List.of("small " + i, "big " + i));
		}
		settle();
		Collections.reverse(expected);
		assertThat(AllPages.ofHome(readers.get(0))).isEqualTo(expected);
	}

	@Test
	void aDeletedPulledPostIsGoneFromPagesAndLists() {
		Visitor author = Visitor.registered(this.site);
		List<Visitor> readers = people(4);
		readers.forEach((reader) -> reader.follow(author));
		author.post("stays");
		String goes = author.post("goes");
		settle();
		assertThat(readers.get(0).get("/home").posts()).containsExactly("goes", "stays");
		assertThat(author.submit("/posts/" + goes + "/delete").status()).isEqualTo(303);
		settle();
		readers.forEach((reader) -> assertThat(reader.get("/home").posts()).containsExactly("stays"));
		assertThat(this.site.redis().zcard("pulled:" + author.id())).isOne();
		assertThat(this.site.redis().zcard("posts:" + author.id())).isOne();
	}

	@Test
	void anAbsentReaderGetsNoPushesAndFindsEverythingOnReturn() {
		Visitor author = Visitor.registered(this.site);
		Visitor reader = Visitor.registered(this.site);
		reader.follow(author);
		author.post("before");
		settle();
		assertThat(this.site.redis().ttl(timeline(reader))).isBetween(29L * 86_400, 30L * 86_400);
		this.site.redis()
			.hset("user:" + reader.id(), "active", Long.toString(System.currentTimeMillis() - 31L * 86_400_000));
		this.site.redis().del(timeline(reader));
		author.post("meanwhile");
		settle();
		assertThat(this.site.redis().exists(timeline(reader))).isZero();

		assertThat(reader.get("/home").posts()).containsExactly("meanwhile", "before");
		Awaitility.await().atMost(BOUND).until(() -> this.site.redis().zcard(timeline(reader)) == 2);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> Long.parseLong(
					this.site.redis().hget("user:" + reader.id(), "active")) > System.currentTimeMillis() - 60_000);
		author.post("after");
		settle();
		assertThat(this.site.redis().zcard(timeline(reader))).isEqualTo(3);
		assertThat(reader.get("/home").posts()).containsExactly("after", "meanwhile", "before");
	}

	@Test
	void aReaderReachesTheFirstPostOfAFullTimeline() {
		List<Visitor> authors = people(3);
		Visitor reader = Visitor.registered(this.site);
		authors.forEach(reader::follow);
		List<Visitor> fans = people(3);
		fans.forEach((fan) -> fan.follow(authors.get(0)));
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 70; i++) {
			String text = "post " + i;
			authors.get(i % 3).post(text);
			expected.add(0, text);
		}
		settle();
		assertThat(this.site.redis().zcard(timeline(reader))).isEqualTo(SIZE);
		assertThat(AllPages.ofHome(reader)).isEqualTo(expected);
	}

	@Test
	void aReaderReachesTheFirstPostOfATimelineThatIsNoLongerFull() {
		List<Visitor> authors = people(2);
		Visitor reader = Visitor.registered(this.site);
		authors.forEach(reader::follow);
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			authors.get(i % 2).post("post " + i);
			if (i % 2 == 1) {
				expected.add(0, "post " + i);
			}
		}
		settle();
		reader.submit("/@" + authors.get(0).name() + "/unfollow");
		settle();
		assertThat(this.site.redis().zcard(timeline(reader))).isLessThan(SIZE);
		assertThat(AllPages.ofHome(reader)).isEqualTo(expected);
	}

	@Test
	@Tag("slow")
	void afterRandomChangesEveryHomeTimelineIsRight() {
		long seed = 4711;
		Random random = new Random(seed);
		List<Visitor> people = people(7);
		Map<Visitor, Set<Visitor>> follows = new HashMap<>();
		List<Made> posts = new ArrayList<>();
		for (int step = 0; step < 400; step++) {
			Visitor one = people.get(random.nextInt(people.size()));
			Visitor other = people.get(random.nextInt(3));
			int what = random.nextInt(10);
			if (what < 6) {
				posts.add(0, new Made(one, "post " + step, one.post("post " + step)));
			}
			else if (what < 9 && one != other) {
				Set<Visitor> followed = follows.computeIfAbsent(one, (some) -> new HashSet<>());
				String change = followed.remove(other) ? "/unfollow" : followed.add(other) ? "/follow" : "";
				assertThat(one.submit("/@" + other.name() + change).status()).isEqualTo(303);
			}
			else if (!posts.isEmpty()) {
				Made made = posts.remove(random.nextInt(posts.size()));
				assertThat(made.author().submit("/posts/" + made.id() + "/delete").status()).isEqualTo(303);
			}
			if (step % 97 == 0) {
				this.site.redis().del(timeline(one));
			}
		}
		settle();
		for (Visitor reader : people) {
			Set<Visitor> shown = new HashSet<>(follows.getOrDefault(reader, Set.of()));
			shown.add(reader);
			assertThat(AllPages.ofHome(reader)).as("seed %s, reader %s", seed, people.indexOf(reader))
				.isEqualTo(posts.stream().filter((made) -> shown.contains(made.author())).map(Made::text).toList());
		}
		assertThat(this.site.redis().zcard("{live}:pulled")).as("some were pulled").isPositive();
		assertThat(Stream.of(this.site.redis().xlen("{live}:fanout"), this.site.redis().zcard("{live}:unfinished")))
			.containsOnly(0L);
	}

	private record Made(Visitor author, String text, String id) {
	}

}
