package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Home timelines that lack older posts, because these did not fit.
 */
@ExtendWith(RedisExtension.class)
class CutTimelineTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	/**
	 * Longest time in ms to build a timeline. A timeline in this state is only announced.
	 */
	private static final String MAKING = "60000";

	private static final String SMALL = "--retwis.timeline.size=20";

	private static void post(Visitor author, int first, int last) {
		IntStream.rangeClosed(first, last).forEach((i) -> author.post(author.name() + " " + i));
	}

	private static List<String> posts(Visitor author, int newest, int oldest) {
		return IntStream.iterate(newest, (i) -> i >= oldest, (i) -> i - 1)
			.mapToObj((i) -> author.name() + " " + i)
			.toList();
	}

	private static void awaitTimeline(Site site, Visitor reader, long posts) {
		Awaitility.await("a timeline with " + posts + " posts")
			.atMost(BOUND)
			.until(() -> site.redis().zcard(Keys.homeTimeline(reader.id())) == posts);
	}

	/** The reader has muted the author of all posts in the timeline. */
	@Test
	@Tag("slow")
	@Tag("long")
	void theFirstPageIsShownAlthoughFillingItIsOverALimit(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=35");
				Site limited = Site.start(redis, "--retwis.timeline.size=35", "--retwis.limits.enabled=true",
						"--retwis.limits.older-pages=2/1h", "--retwis.limits.timeout=20s")) {
			Visitor friend = Visitor.registered(site);
			Visitor busy = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.get("/home");
			List.of(friend, busy).forEach(reader::follow);
			post(friend, 1, 10);
			post(busy, 1, 35);
			FanOutWait.settle(site);
			awaitTimeline(site, reader, 35);
			assertThat(reader.submit("/@" + busy.name() + "/mute").status()).isEqualTo(303);
			Visitor there = reader.sentTo(limited.url(""));
			for (int i = 0; i < 3; i++) {
				assertThat(there.get("/home").status()).as("view %s", i).isEqualTo(200);
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void noPostIsMissingAfterTimelinesWereAllowedToHoldMore(@OwnRedis TestRedis redis) {
		String reader;
		String author;
		try (Site small = Site.start(redis, SMALL)) {
			Visitor writing = Visitor.registered(small);
			Visitor reading = Visitor.registered(small);
			reading.get("/home");
			reading.follow(writing);
			post(writing, 1, 50);
			FanOutWait.settle(small);
			reader = reading.name();
			author = writing.name();
		}
		try (Site large = Site.start(redis, "--retwis.timeline.size=100")) {
			Visitor reading = Visitor.signedIn(large, reader);
			Visitor writing = Visitor.signedIn(large, author);
			assertThat(AllPages.ofHome(reading)).isEqualTo(posts(writing, 50, 1));
			post(writing, 51, 60);
			FanOutWait.settle(large);
			assertThat(AllPages.ofHome(reading)).isEqualTo(posts(writing, 60, 1));
		}
	}

	/** The older posts of a followed author no longer fit. */
	@Test
	@Tag("slow")
	@Tag("long")
	void noPostIsMissingAfterAFollowFilledTheTimeline(@OwnRedis TestRedis redis) {
		String reader;
		List<String> all;
		try (Site small = Site.start(redis, SMALL)) {
			Visitor writing = Visitor.registered(small);
			Visitor reading = Visitor.registered(small);
			post(writing, 1, 30);
			post(reading, 1, 1);
			reading.get("/home");
			awaitTimeline(small, reading, 1);
			reading.follow(writing);
			FanOutWait.settle(small);
			awaitTimeline(small, reading, 20);
			reader = reading.name();
			all = new ArrayList<>(posts(reading, 1, 1));
			all.addAll(posts(writing, 30, 1));
			assertThat(AllPages.ofHome(reading)).isEqualTo(all);
		}
		try (Site large = Site.start(redis, "--retwis.timeline.size=100")) {
			assertThat(AllPages.ofHome(Visitor.signedIn(large, reader))).isEqualTo(all);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anUnfollowRemovesAllPostsFromATimelineThatWasBuiltWithALargerBound(@OwnRedis TestRedis redis) {
		String reader;
		String early;
		List<String> rest;
		try (Site large = Site.start(redis, "--retwis.timeline.size=100")) {
			Visitor first = Visitor.registered(large);
			Visitor second = Visitor.registered(large);
			Visitor reading = Visitor.registered(large);
			reading.get("/home");
			reading.follow(first);
			reading.follow(second);
			post(first, 1, 3);
			post(second, 1, 25);
			FanOutWait.settle(large);
			awaitTimeline(large, reading, 28);
			reader = reading.name();
			early = first.name();
			rest = posts(second, 25, 1);
		}
		try (Site small = Site.start(redis, SMALL)) {
			Visitor reading = Visitor.signedIn(small, reader);
			reading.get("/@" + early);
			assertThat(reading.submit("/@" + early + "/unfollow").status()).isEqualTo(303);
			FanOutWait.settle(small);
			awaitTimeline(small, reading, 25);
			assertThat(AllPages.ofHome(reading)).isEqualTo(rest);
		}
	}

	@Test
	void aTimelineSizeThatIsTooLargeForTheScriptsIsRefused() {
		assertThatException().isThrownBy(() -> Site.another("--retwis.timeline.size=6000").close())
			.havingRootCause()
			.withMessageContaining("retwis.timeline.size is 6000");
	}

	@Test
	void aTimelineThatAnUnfollowHasEmptiedIsRebuilt(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, SMALL)) {
			Visitor quiet = Visitor.registered(site);
			Visitor busy = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.get("/home");
			reader.follow(quiet);
			reader.follow(busy);
			post(quiet, 1, 3);
			post(busy, 1, 25);
			FanOutWait.settle(site);
			assertThat(reader.submit("/@" + busy.name() + "/unfollow").status()).isEqualTo(303);
			FanOutWait.settle(site);
			assertThat(AllPages.ofHome(reader)).isEqualTo(posts(quiet, 3, 1));
			awaitTimeline(site, reader, 3);
		}
	}

	/**
	 * For example a post whose worker died. Other posts between it and the oldest one may
	 * be missing.
	 */
	@Test
	void aLatePostThatIsOlderThanTheWholeTimelineIsNotAdded() {
		Site site = Site.shared();
		HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
		String reader = Visitor.registered(site).id();
		String key = Keys.homeTimeline(reader);
		timelines.announce(reader, "maker")
			.then(timelines.begin(reader, "maker",
					List.of(new Cursor(3000, "0CCCCCCCCCCCC"), new Cursor(2000, "0BBBBBBBBBBBB")),
					new Cursor(2000, "0BBBBBBBBBBBB")))
			.block(BOUND);
		timelines.add(List.of(reader), "0AAAAAAAAAAAA", 1500).block(BOUND);
		timelines.add(List.of(reader), "0BBBBBBBBBBBB", 2000).block(BOUND);
		timelines.add(List.of(reader), "0DDDDDDDDDDDD", 2500).block(BOUND);
		assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0BBBBBBBBBBBB", "0DDDDDDDDDDDD", "0CCCCCCCCCCCC");

		timelines.remove(reader, List.of("0BBBBBBBBBBBB")).block(BOUND);
		List<Cursor> late = List.of(new Cursor(2200, "0EEEEEEEEEEEE"), new Cursor(1900, "0FFFFFFFFFFFF"));
		assertThat(timelines.merge(reader, new NewestPostRange(late, null)).block(BOUND)).isTrue();
		timelines.add(List.of(reader), "0GGGGGGGGGGGG", 2100).block(BOUND);
		assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0GGGGGGGGGGGG", "0EEEEEEEEEEEE", "0DDDDDDDDDDDD",
				"0CCCCCCCCCCCC");
		timelines.remove(reader, site.redis().zrange(key, 0, -1)).block(BOUND);
		assertThat(site.redis().exists(key)).isZero();
		assertThat(site.redis().get(Keys.homeCompleteFrom(reader))).isEqualTo(">2000");
	}

	/** After a post was dropped, the oldest that is left is where it is complete from. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aPostThatDoesNotFitInEndsWhatWasKnownOfThePostsBefore(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=2")) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			String mark = Keys.homeCompleteFrom(reader);
			Cursor pulled = new Cursor(1000, "0AAAAAAAAAAAA");
			timelines.announce(reader, "maker").then(timelines.begin(reader, "maker", List.of(), pulled)).block(BOUND);
			assertThat(site.redis().get(mark)).isEqualTo("0>1000");
			timelines.add(List.of(reader), "0CCCCCCCCCCCC", 3000).block(BOUND);
			assertThat(site.redis().get(mark)).isEqualTo(">1000");
			timelines.add(List.of(reader), "0BBBBBBBBBBBB", 2000).block(BOUND);
			timelines.add(List.of(reader), "0DDDDDDDDDDDD", 4000).block(BOUND);
			assertThat(site.redis().get(mark)).isEqualTo("2000");
			timelines.remove(reader, List.of("0DDDDDDDDDDDD")).block(BOUND);
			assertThat(site.redis().get(mark)).isEqualTo(">3000");
			timelines.add(List.of(reader), "0EEEEEEEEEEEE", 2500).block(BOUND);
			assertThat(site.redis().zrange(Keys.homeTimeline(reader), 0, -1)).containsExactly("0CCCCCCCCCCCC");
		}
	}

	@Test
	void amongPostsOfOneMillisecondTheSmallestIdIsRemovedFirst(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=2")) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			String key = Keys.homeTimeline(reader);
			timelines.announce(reader, "maker")
				.then(timelines.begin(reader, "maker",
						List.of(new Cursor(1001, "0CCCCCCCCCCCC"), new Cursor(1000, "0BBBBBBBBBBBB")), null))
				.block(BOUND);
			timelines.add(List.of(reader), "0AAAAAAAAAAAA", 1000).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0BBBBBBBBBBBB", "0CCCCCCCCCCCC");
			assertThat(site.redis().get(Keys.homeCompleteFrom(reader))).isEqualTo("1000");
			timelines.merge(reader, new NewestPostRange(List.of(new Cursor(1000, "0BAAAAAAAAAAA")), null)).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0BBBBBBBBBBBB", "0CCCCCCCCCCCC");
			timelines.add(List.of(reader), "0BCCCCCCCCCCC", 1000).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0BCCCCCCCCCCC", "0CCCCCCCCCCCC");
		}
	}

	@Test
	void aPostOfTheSameMillisecondBelowTheCompletePartIsNotAdded(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=2")) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			Cursor oldest = new Cursor(1000, "0MMMMMMMMMMMM");
			timelines.announce(reader, "maker").block(BOUND);
			timelines.remove(reader, List.of("0NNNNNNNNNNNN")).block(BOUND);
			timelines.add(List.of(reader), "0CCCCCCCCCCCC", 1000).block(BOUND);
			timelines.begin(reader, "maker", List.of(new Cursor(1001, "0NNNNNNNNNNNN"), oldest), oldest).block(BOUND);
			assertThat(site.redis().zrange(Keys.homeTimeline(reader), 0, -1)).containsExactly("0MMMMMMMMMMMM");
		}
	}

	@Test
	void postsThatNoLongerFitALowerBoundLeaveNoGap(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=5")) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			String key = Keys.homeTimeline(reader);
			IntStream.rangeClosed(1, 8).forEach((i) -> site.redis().zadd(key, 1000.0 + 10 * i, "0P00000000000" + i));
			timelines.add(List.of(reader), "0Y00000000000", 1035).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0P000000000004", "0P000000000005",
					"0P000000000006", "0P000000000007", "0P000000000008");
			IntStream.rangeClosed(1, 3).forEach((i) -> site.redis().zadd(key, 1000.0 + 10 * i, "0P00000000000" + i));
			site.redis().del(Keys.homeCompleteFrom(reader));
			timelines.merge(reader, new NewestPostRange(List.of(new Cursor(1015, "0X00000000000")), null)).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0P000000000004", "0P000000000005",
					"0P000000000006", "0P000000000007", "0P000000000008");
			assertThat(site.redis().get(Keys.homeCompleteFrom(reader))).isEqualTo("1040");
			timelines.add(List.of(reader), "0Z00000000000", 1045).block(BOUND);
			assertThat(site.redis().zrange(key, 0, -1)).containsExactly("0Z00000000000", "0P000000000005",
					"0P000000000006", "0P000000000007", "0P000000000008");
		}
	}

	/** Every merged post was in the timeline before, but the author has more posts. */
	@Test
	@Tag("slow")
	void aTimelineFullOfOneAuthorsPostsIsMarkedAsCut(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=2")) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			List<Cursor> newest = List.of(new Cursor(1020, "0BBBBBBBBBBBB"), new Cursor(1010, "0AAAAAAAAAAAA"));
			newest.forEach(
					(place) -> site.redis().zadd(Keys.homeTimeline(reader), (double) place.score(), place.member()));
			timelines.merge(reader, new NewestPostRange(newest, newest.get(1))).block(BOUND);
			assertThat(site.redis().get(Keys.homeCompleteFrom(reader))).isEqualTo("1010");
		}
	}

	/** The oldest post that was read is no longer among the author's newest. */
	@Test
	void anAuthorUnfollowedDuringARebuildIsNotInTheTimelineEvenAfterANewPost(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=2")) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.follow(author);
			post(author, 1, 2);
			FanOutWait.settle(site);
			site.redis().del(Keys.homeTimeline(reader.id()), Keys.homeCompleteFrom(reader.id()));
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			timelines.announce(reader.id(), "maker").block(BOUND);
			List<Cursor> read = site.bean(TimelineRepository.class)
				.latestPushedOf(author.id())
				.map(NewestPostRange::places)
				.blockOptional(BOUND)
				.orElseThrow();
			post(author, 3, 3);
			FanOutWait.settle(site);
			assertThat(reader.submit("/@" + author.name() + "/unfollow").status()).isEqualTo(303);
			FanOutWait.settle(site);
			timelines.begin(reader.id(), "maker", read, read.get(1)).block(BOUND);
			assertThat(site.redis().exists(Keys.homeTimeline(reader.id()))).isZero();
		}
	}

	/** Below this place other posts of a followed author are missing. */
	@Test
	void aTimelineIsCutAtTheOldestKnownPostOfAnAuthor() {
		Site site = Site.shared();
		HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
		String there = Visitor.registered(site).id();
		String made = Visitor.registered(site).id();
		List<Cursor> before = List.of(new Cursor(3000, "0EEEEEEEEEEEE"), new Cursor(2000, "0CCCCCCCCCCCC"),
				new Cursor(2000, "0AAAAAAAAAAAA"), new Cursor(1000, "0FFFFFFFFFFFF"));
		NewestPostRange followed = new NewestPostRange(List.of(new Cursor(2500, "0DDDDDDDDDDDD")),
				new Cursor(2000, "0BBBBBBBBBBBB"));
		timelines.announce(there, "maker").then(timelines.begin(there, "maker", before, null)).block(BOUND);
		timelines.merge(there, followed).block(BOUND);
		timelines.announce(made, "maker").block(BOUND);
		timelines.merge(made, followed).block(BOUND);
		timelines.begin(made, "maker", before, null).block(BOUND);
		for (String reader : List.of(there, made)) {
			assertThat(site.redis().zrange(Keys.homeTimeline(reader), 0, -1)).containsExactly("0CCCCCCCCCCCC",
					"0DDDDDDDDDDDD", "0EEEEEEEEEEEE");
			assertThat(site.redis().get(Keys.homeCompleteFrom(reader))).isEqualTo(">2000");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aFollowIsNotLostWhenAPostBeginsTheTimelineMeanwhile(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site working = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=8s");
				Site site = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Visitor quiet = Visitor.registered(site);
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			post(author, 1, 3);
			reader.follow(quiet);
			FanOutWait.settle(working);
			assertThat(site.redis().get(Keys.homeCompleteFrom(reader.id()))).isEqualTo("0");
			try (Interception held = way
				.at(SentCommand.named("EVALSHA", "EVAL")
					.and(SentCommand.with(Keys.homeTimeline(reader.id())))
					.and(SentCommand.with(MAKING)))
				.holdCommand()) {
				reader.follow(author);
				held.awaitMet();
				reader.post("my own");
			}
			FanOutWait.settle(working);
			List<String> all = new ArrayList<>(List.of("my own"));
			all.addAll(posts(author, 3, 1));
			assertThat(AllPages.ofHome(reader)).isEqualTo(all);
			awaitTimeline(site, reader, 4);
		}
	}

}
