package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.github.f4b6a3.tsid.TsidFactory;
import io.lettuce.core.ScoredValue;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.tag.TrendingTags;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.ServerCost;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Redis commands that one visitor can cause, counted by Redis.
 */
@Timeout(60)
@TestInstance(Lifecycle.PER_CLASS)
class CostTests {

	private static final Logger log = LoggerFactory.getLogger(CostTests.class);

	private static final Duration BOUND = Duration.ofSeconds(20);

	/** The most users that one user can follow. */
	private static final int FOLLOWED = 2000;

	private static final long DAY = Duration.ofDays(1).toMillis();

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));

	private final Random random = new Random(4711);

	private Site site;

	@BeforeAll
	void start() {
		this.site = Site.startOn(SharedData.settings("127.0.0.1", this.redis.port()));
	}

	@AfterAll
	void stop() {
		this.site.close();
		this.redis.close();
	}

	private ServerCost cost(String what, Runnable deed) {
		ServerCost cost = ServerCost.of(List.of(this.redis), deed);
		log.info("{}: {} commands, {} ms of Redis: {}", what, cost.all(), cost.time().toNanos() / 1e6, cost.calls());
		return cost;
	}

	private void settle() {
		FanOutWait.settle(this.site);
	}

	@Test
	void aPostToFollowersWhoAreAwayReadsNoneOfThem() {
		Visitor author = Visitor.registered(this.site);
		int away = 9000;
		String longAgo = Long.toString(System.currentTimeMillis() - 40 * DAY);
		try (SeededFollowers fans = SeededFollowers.plant("127.0.0.1", this.redis.port(), author.id(), away, 10_000)) {
			fans.visited(longAgo);
			ServerCost cost = cost("a post to 9,000 who are away", () -> {
				author.post("where is everybody?");
				settle();
			});
			assertThat(cost.calls("hmget")).isLessThan(away / 10);
			long ofThePost = Stream.of("hmget", "evalsha", "exists", "zcard").mapToLong(cost::calls).sum();
			assertThat(cost.calls("evalsha")).as("scripts that look for timelines").isGreaterThan(away / 100);
			assertThat(ofThePost).isLessThan(away / 10);
		}
	}

	@Test
	void aProfileReadsEachShardOfFollowersOnce() {
		Visitor viewer = Visitor.registered(this.site);
		Visitor big = Visitor.registered(this.site);
		try (SeededFollowers fans = SeededFollowers.plant("127.0.0.1", this.redis.port(), big.id(), 10_100, 10_000)) {
			follow(viewer, fans.ids().subList(9100, 9100 + 1000));
			follow(viewer, IntStream.range(0, 1000).mapToObj("0N%011d"::formatted).toList());
			List<Answer> pages = new ArrayList<>();
			ServerCost cost = cost("a profile with two shards", () -> pages.add(viewer.get("/@" + big.name())));
			assertThat(pages.get(0).body())
				.containsPattern("Followed by @fan_\\w+, @fan_\\w+ and 998 others you follow");
			assertThat(cost.calls("zscore")).isLessThan(FOLLOWED / 10);
			assertThat(cost.all()).isLessThan(FOLLOWED / 10);
		}
	}

	private void follow(Visitor follower, List<String> followed) {
		this.site.redis()
			.zadd(Keys.following(follower.id()),
					followed.stream().map((id) -> ScoredValue.just(1.0, id)).toArray(ScoredValue[]::new));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void suggestionsLookAtASampleOfTheFollows() {
		Visitor reader = Visitor.registered(this.site);
		List<String> followed = IntStream.range(0, FOLLOWED).mapToObj("0B%011d"::formatted).toList();
		follow(reader, followed);
		ScoredValue<String>[] others = IntStream.range(0, FOLLOWED)
			.mapToObj((i) -> ScoredValue.just(i, "0C%011d".formatted(i)))
			.toArray(ScoredValue[]::new);
		followed.forEach((id) -> this.site.redis().zadd(Keys.following(id), others));
		ServerCost first = cost("whom to follow", () -> reader.get("/search"));
		assertThat(first.calls("zrevrange")).isBetween(50L, 60L);
		assertThat(first.all()).isLessThan(250);
		ServerCost again = cost("whom to follow, again", () -> reader.get("/search"));
		assertThat(again.calls("zrevrange")).isLessThan(10);
	}

	@Test
	void aSearchReadsAtMostFiveListsAndTheTagsOfTheDayAreSummedOnce() {
		Visitor stranger = Visitor.of(this.site);
		long hour = System.currentTimeMillis() / Duration.ofHours(1).toMillis();
		for (int i = 0; i < 10; i++) {
			this.site.redis().zadd(Keys.word("word" + i), members("0D%011d", 1000));
		}
		LongStream.range(0, 24)
			.forEach((ago) -> this.site.redis()
				.zadd(Keys.trending(hour - ago), members("hour" + ago + "tag%d", TrendingTags.MOST)));
		ServerCost search = cost("a search for ten words in full lists",
				() -> stranger.get("/search?q=word0+word1+word2+word3+word4+word5+word6+word7+word8+word9"));
		assertThat(search.calls("zrevrange")).isBetween(5L, 10L);
		this.site.redis().del(Keys.TRENDING_DAY);
		ServerCost tags = cost("the tags of the day", () -> stranger.get("/search"));
		assertThat(tags.calls("zunionstore")).isLessThanOrEqualTo(1);
	}

	private static ScoredValue<String>[] members(String pattern, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> ScoredValue.just(i, pattern.formatted(i)))
			.toArray(ScoredValue[]::new);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageBeyondTheEndOfATimelineReadsFewAuthors() {
		Visitor reader = Visitor.registered(this.site);
		List<String> authors = IntStream.range(0, FOLLOWED).mapToObj("0A%011d"::formatted).toList();
		follow(reader, authors);
		List<ScoredValue<String>> posts = plantPosts(authors, 100_000);
		this.site.redis().zadd(Keys.homeTimeline(reader.id()), posts.subList(0, 800).toArray(ScoredValue[]::new));
		Reading reading = new Reading(reader);
		IntStream.range(0, 39).forEach((page) -> reading.next());
		ServerCost first = cost("the page at the end", reading::next);
		int pages = 20;
		ServerCost next = cost(pages + " pages after it",
				() -> IntStream.range(0, pages).forEach((i) -> reading.next()));
		assertThat(reading.read)
			.isEqualTo(IntStream.range(0, reading.read.size()).mapToObj((i) -> "post " + i).toList())
			.hasSize((39 + 1 + pages) * 20);
		assertThat(first.all()).as("each author once").isLessThan(FOLLOWED + FOLLOWED / 10);
		assertThat(next.all() / pages).isLessThan(FOLLOWED / 10);
		int jumps = 60;
		OlderAuthorPostsCache cache = this.site.bean(OlderAuthorPostsCache.class);
		ServerCost jumping = cost(jumps + " places anywhere",
				() -> this.random.ints(jumps, 900, posts.size() - 25)
					.forEach((i) -> assertThat(cache.latest(authors, place(posts.get(i)), 25).block(BOUND))
						.isEqualTo(posts.subList(i + 1, i + 26).stream().map(CostTests::place).toList())));
		assertThat(jumping.all() / jumps).isLessThan(FOLLOWED / 5);
	}

	private static Cursor place(ScoredValue<String> post) {
		return new Cursor((long) post.getScore(), post.getValue());
	}

	/**
	 * Posts of yesterday, newest first. Some authors have many. Their newest posts are on
	 * pages.
	 */
	private List<ScoredValue<String>> plantPosts(List<String> authors, int count) {
		long newest = System.currentTimeMillis() - DAY;
		TsidFactory ids = TsidFactory.builder().withTimeFunction(() -> newest).withRandom(this.random).build();
		List<ScoredValue<String>> posts = new ArrayList<>();
		Map<String, List<ScoredValue<String>>> lists = new HashMap<>();
		for (int i = 0; i < count; i++) {
			ScoredValue<String> post = ScoredValue.just(newest - 1000 * i, ids.create().toString());
			posts.add(post);
			String author = authors.get((int) (authors.size() * Math.pow(this.random.nextDouble(), 3)));
			lists.computeIfAbsent(author, (one) -> new ArrayList<>()).add(post);
			if (i < 1500) {
				this.site.redis()
					.hset(Keys.post(post.getValue()), Map.of("author", author, "username", "somebody", "created",
							Long.toString(newest), "body", "post " + i));
			}
		}
		lists.forEach((author, own) -> this.site.redis().zadd(Keys.postsOf(author), own.toArray(ScoredValue[]::new)));
		return posts;
	}

	/** A reader who goes through the pages of the home timeline. */
	private static final class Reading {

		private final Visitor reader;

		private final List<String> read = new ArrayList<>();

		private String path = "/home";

		Reading(Visitor reader) {
			this.reader = reader;
		}

		void next() {
			Answer page = this.reader.get(this.path);
			this.read.addAll(page.posts());
			this.path = page.older();
		}

	}

	@Test
	void aMadeUpCookieDoesNotLookUpWhomTheUserFollows() {
		Visitor alice = Visitor.registered(this.site);
		Visitor bob = Visitor.registered(this.site);
		alice.follow(bob);
		bob.post("a post");
		String profile = "/@" + bob.name();
		alice.get(profile);
		String madeUp = "auth=" + alice.id() + "." + "A".repeat(43);
		Visitor.of(this.site).get(profile, "Cookie", madeUp);
		ServerCost own = cost("a profile", () -> alice.get(profile));
		ServerCost forged = cost("the same with a made-up cookie",
				() -> Visitor.of(this.site).get(profile, "Cookie", madeUp));
		assertThat(own.calls("zmscore") - forged.calls("zmscore")).as("look-ups in the lists of both").isEqualTo(2);
	}

}
