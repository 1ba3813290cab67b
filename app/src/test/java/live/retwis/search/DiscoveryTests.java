package live.retwis.search;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.tag.TrendingTags;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Whom to follow, and which tags are used today. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DiscoveryTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static List<String> names(String markup) {
		return Pattern.compile("<li><a class=\"author\" href=\"/@([^\"]*)\"")
			.matcher(markup)
			.results()
			.map((r) -> r.group(1))
			.toList();
	}

	private static String button(Visitor user, String action) {
		return "formaction=\"/@%s/%s\"".formatted(user.name(), action);
	}

	private static List<String> suggested(Visitor viewer) {
		String body = viewer.get("/search").body();
		int begin = body.indexOf("data-suggested");
		return (begin < 0) ? List.of() : names(body.substring(begin, body.indexOf("</ul>", begin)));
	}

	@Test
	void whomOthersFollowComesBeforeNewUsersWhoPost(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			List<Visitor> people = IntStream.range(0, 7).mapToObj((i) -> Visitor.registered(site)).toList();
			Visitor viewer = people.get(0);
			viewer.follow(people.get(1));
			viewer.follow(people.get(2));
			people.get(1).follow(people.get(3));
			people.get(1).follow(people.get(4));
			people.get(1).follow(people.get(2));
			people.get(2).follow(people.get(4));
			people.get(2).follow(viewer);
			people.get(5).post("I am new here");
			FanOutWait.settle(site);
			assertThat(suggested(viewer)).containsExactly(people.get(4).name(), people.get(3).name(),
					people.get(5).name());
			Answer page = viewer.get("/search");
			assertThat(page.entryOf(people.get(4))).contains(">2 followers<", button(people.get(4), "follow"));
			assertThat(page.entryOf(people.get(3))).contains(">1 follower<", button(people.get(3), "follow"));
			assertThat(page.entryOf(people.get(5))).contains(">no followers<", button(people.get(5), "follow"));
			viewer.follow(people.get(4));
			assertThat(suggested(viewer)).containsExactly(people.get(3).name(), people.get(5).name());
			assertThat(suggested(Visitor.of(site))).isEmpty();
		}
	}

	@Test
	void nobodyIsSuggestedWhomTheViewerHasMutedOrBlocked(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor viewer = Visitor.registered(site);
			Visitor muted = Visitor.registered(site);
			Visitor blocked = Visitor.registered(site);
			muted.post("hello");
			blocked.post("hello");
			FanOutWait.settle(site);
			assertThat(suggested(viewer)).containsExactlyInAnyOrder(muted.name(), blocked.name());
			viewer.get("/@" + muted.name());
			viewer.submit("/@" + muted.name() + "/mute");
			assertThat(suggested(viewer)).containsExactly(blocked.name());
			viewer.get("/@" + blocked.name());
			viewer.submit("/@" + blocked.name() + "/block");
			assertThat(suggested(viewer)).isEmpty();
		}
	}

	/** They cannot be followed. */
	@Test
	void nobodyIsSuggestedWhoHasBlockedTheViewer(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor viewer = Visitor.registered(site);
			List<Visitor> people = IntStream.range(0, 6).mapToObj((i) -> Visitor.registered(site)).toList();
			people.forEach((one) -> one.post("hello"));
			FanOutWait.settle(site);
			assertThat(suggested(viewer)).hasSize(5).contains(people.get(5).name());
			people.get(5).get("/@" + viewer.name());
			people.get(5).submit("/@" + viewer.name() + "/block");
			Awaitility.await().atMost(BOUND).until(() -> !suggested(viewer).contains(people.get(5).name()));
			assertThat(suggested(viewer)).hasSize(5);
		}
	}

	@Test
	void anEmptyHomePageSuggestsWhomToFollow(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor viewer = Visitor.registered(site);
			assertThat(names(viewer.get("/home").body())).isEmpty();
			author.post("somebody is here");
			Visitor.registered(site).follow(author);
			FanOutWait.settle(site);
			Awaitility.await("the next look")
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(names(viewer.get("/home").body())).containsExactly(author.name()));
			assertThat(viewer.get("/home").entryOf(author)).contains(">1 follower<", button(author, "follow"));
			assertThat(viewer.submitFrom("/home", "/@" + author.name() + "/follow").location()).isEqualTo("/home");
			assertThat(author.get("/home").body()).contains("<a href=\"/search\">Who to follow</a>");
		}
	}

	@Test
	void theTagsWithMostPostsOfTheLastDayAreOnThePublicTimeline(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			long hour = System.currentTimeMillis() / 3_600_000;
			site.redis().zadd("{trending}:" + (hour - 5), 3, "yesterday");
			site.redis().zadd(Keys.tag("yesterday"), 1, "0000000000001");
			site.redis().zadd("{trending}:" + (hour - 30), 9, "forgotten");
			IntStream.range(0, 1000).forEach((i) -> site.redis().zadd("{trending}:" + (hour - 1), 1, "t" + i));
			Visitor author = Visitor.registered(site);
			IntStream.range(0, 4).forEach((i) -> author.post("#today #today " + i));
			FanOutWait.settle(site);
			String page = Visitor.of(site).get("/timeline").body();
			assertThat(page)
				.containsSubsequence("Tags of the day", "<bdi>today</bdi></a> <span class=\"hint\">4 posts<",
						"<bdi>yesterday</bdi></a> <span class=\"hint\">3 posts<")
				.doesNotContain("forgotten");
			assertThat(Pattern.compile("<bdi>").matcher(page).results()).hasSizeLessThanOrEqualTo(10);
			assertThat(author.get("/timeline").body()).contains("Tags of the day");
			String key = site.keys("{trending}:*")
				.stream()
				.filter((each) -> site.redis().zscore(each, "today") != null && !each.endsWith("day"))
				.findFirst()
				.orElseThrow();
			assertThat(site.redis().ttl(key)).isBetween(Duration.ofHours(24).toSeconds(),
					Duration.ofHours(25).toSeconds());
			assertThat(site.redis().ttl("{trending}:day")).isBetween(1L, 60L);
		}
	}

	@Test
	void aTagWhosePostsAreAllDeletedIsNoTagOfTheDay(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			String spam = author.post("#spam");
			author.post("#kept");
			FanOutWait.settle(site);
			assertThat(author.submit("/posts/" + spam + "/delete").status()).isEqualTo(303);
			FanOutWait.settle(site);
			assertThat(Visitor.of(site).get("/timeline").body()).contains("Tags of the day", "<bdi>kept</bdi>")
				.doesNotContain("<bdi>spam</bdi>");
		}
	}

	@Test
	void inAFullHourANewTagTakesThePlaceOfTheOneWithTheFewestPosts(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			author.post("#first");
			FanOutWait.settle(site);
			String key = site.keys("{trending}:[0-9]*").get(0);
			IntStream.range(1, TrendingTags.MOST).forEach((i) -> site.redis().zadd(key, 2, "t" + i));
			author.post("#t5");
			author.post("#late");
			author.post("#late");
			FanOutWait.settle(site);
			assertThat(site.redis().zcard(key)).isEqualTo(TrendingTags.MOST);
			assertThat(site.redis().zscore(key, "t5")).isEqualTo(3);
			assertThat(site.redis().zscore(key, "first")).isNull();
			assertThat(site.redis().zscore(key, "late")).isEqualTo(3);
		}
	}

	@Test
	void newUsersOnThePublicTimelineHaveButtons(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor viewer = Visitor.registered(site);
			Visitor first = Visitor.registered(site);
			Answer page = viewer.get("/timeline");
			assertThat(page.entryOf(first)).contains(">no followers ", button(first, "follow"));
			assertThat(page.body()).doesNotContain(button(viewer, "follow"));
			viewer.follow(first);
			assertThat(viewer.get("/timeline").entryOf(first)).contains(button(first, "unfollow"));
			Awaitility.await()
				.atMost(BOUND)
				.untilAsserted(() -> assertThat(viewer.get("/timeline").entryOf(first)).contains(">1 follower "));
			Visitor second = Visitor.registered(site);
			viewer.get("/timeline");
			assertThat(viewer.get("/timeline").entryOf(second)).contains(button(second, "follow"));
			assertThat(Visitor.of(site).get("/timeline").body()).doesNotContain("formaction=\"/@");
		}
	}

}
