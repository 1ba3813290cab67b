package live.retwis.repost;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import live.retwis.account.AccountSuspension;
import live.retwis.log.InstanceLogPosition;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A repost brings a post to one's followers, once, and goes with its original. */
class RepostTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final int TIMES = 6;

	private static final long SINCE = 1_700_000_000_000L;

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private final Visitor follower = Visitor.registered(this.site);

	private final String post = this.author.post("to be reposted");

	RepostTests() {
		this.follower.follow(this.friend);
	}

	private static Answer repost(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		return visitor.submit("/posts/" + post + "/repost");
	}

	private static Answer undo(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		return visitor.submit("/posts/" + post + "/unrepost");
	}

	private String repostOf(Visitor visitor) {
		return this.site.redis().hget(Keys.reposts(this.post), visitor.id());
	}

	private static List<String> postsOn(Visitor visitor, String path) {
		return visitor.get(path).postIds();
	}

	private void awaitCount(int reposts) {
		String count = (reposts > 0) ? " data-count=\"" + reposts + "\"" : "";
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.author.get("/@" + this.author.name()).body())
				.contains("formaction=\"/posts/" + this.post + "/repost\"" + count + ">"));
	}

	@Test
	void aRepostComesToTheFollowersWithTheNameOfWhoRepostedIt() {
		String live = this.follower.get("/home").live();
		assertThat(repost(this.friend, this.post).status()).isEqualTo(303);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(postsOn(this.follower, "/home")).containsExactly(this.post));
		assertThat(this.follower.get("/home").body()).contains("to be reposted")
			.contains("data-repost-id=\"" + repostOf(this.friend) + "\"")
			.contains("data-user-id=\"" + this.friend.id() + "\">@" + this.friend.name());
		try (EventStream home = this.follower.open(live)) {
			assertThat(home.awaitPost("to be reposted").data()).contains("id=\"post-" + this.post + "\"")
				.contains("class=\"reposted\"");
		}
		assertThat(postsOn(this.friend, "/@" + this.friend.name())).containsExactly(this.post);
		assertThat(this.follower.getJson("/@" + this.friend.name())
			.json()
			.get("posts")
			.get(0)
			.get("reposted_by")
			.asString()).isEqualTo(this.friend.name());
	}

	@Test
	void whoSeesAPostBecauseOfARepostSeesItsCountsChange() {
		Visitor fan = Visitor.registered(this.site);
		String live = this.follower.get("/home").live();
		try (EventStream home = this.follower.open(live)) {
			repost(this.friend, this.post);
			home.awaitPost("to be reposted");
			fan.get("/posts/" + this.post);
			fan.submit("/posts/" + this.post + "/like");
			assertThat(home.await(this::isOneLike).data()).contains(this.post);
			try (EventStream replayed = this.follower.open(live)) {
				replayed.await(this::isOneLike);
			}
		}
	}

	@Test
	void aStreamTellsOfTheCountsOfOtherPostsWhenItsPageAsks() {
		String[] streams = { "/live/home?posts=" + this.post, "/live/@" + this.friend.name() + "?posts=" + this.post };
		for (String stream : streams) {
			try (EventStream page = this.follower.open(stream); EventStream other = this.follower.open("/live/home")) {
				List.of(page, other).forEach((one) -> one.await((event) -> event.name().equals("position")));
				this.author.get("/posts/" + this.post);
				this.author.submit("/posts/" + this.post + "/like");
				assertThat(page.await(this::isOneLike).data()).contains(this.post);
				this.author.submit("/posts/" + this.post + "/unlike");
				page.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":0"));
				String last = this.friend.post("after the counts");
				other.awaitPost(last);
				assertThat(other.events("counts")).isEmpty();
			}
		}
	}

	private boolean isOneLike(EventStream.Event event) {
		return event.name().equals("counts") && event.data().contains("\"likes\":1");
	}

	@Test
	void aRepostIsNoNewPostOfThePublicTimelineNeitherLiveNorReplayed() {
		String live = this.author.get("/timeline").live();
		try (EventStream everyone = this.author.open(live)) {
			everyone.await((event) -> event.name().equals("position"));
			repost(this.friend, this.post);
			awaitCount(1);
			String last = this.author.post("after it");
			try (EventStream replayed = this.author.open(live)) {
				replayed.awaitPost("after it");
				everyone.awaitPost("after it");
				assertThat(Stream.concat(everyone.events("post").stream(), replayed.events("post").stream())
					.map(EventStream.Event::data)).noneMatch((data) -> data.contains("class=\"reposted\""))
					.anyMatch((data) -> data.contains(last));
			}
		}
		assertThat(this.site.redis().zscore(Keys.PUBLIC_TIMELINE, repostOf(this.friend))).isNull();
	}

	@Test
	void onePageShowsAPostOnceWhoeverRepostedIt() {
		this.follower.follow(this.author);
		Awaitility.await().atMost(SOON).until(() -> postsOn(this.follower, "/home").contains(this.post));
		repost(this.friend, this.post);
		repost(this.author, this.post);
		awaitCount(2);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.follower.get("/home").body()).contains("class=\"reposted\""));
		assertThat(postsOn(this.follower, "/home")).containsExactly(this.post);
	}

	@Test
	void ofRequestsAtTheSameMomentOneRepostIsLeft() {
		this.friend.get("/posts/" + this.post);
		CompletableFuture
			.allOf(IntStream.range(0, TIMES)
				.mapToObj(
						(i) -> CompletableFuture.runAsync(() -> this.friend.submit("/posts/" + this.post + "/repost")))
				.toArray(CompletableFuture[]::new))
			.join();
		awaitCount(1);
		assertThat(this.site.redis().zrange(Keys.postsOf(this.friend.id()), 0, -1))
			.containsExactly(repostOf(this.friend));
		assertThat(this.site.redis().xrange(Keys.LOG, Range.unbounded()))
			.filteredOn((entry) -> "post".equals(entry.getBody().get("type"))
					&& this.friend.id().equals(entry.getBody().get("user")))
			.hasSize(1);
		assertThat(repost(this.friend, this.post).status()).isEqualTo(303);
		assertThat(this.site.redis().zcard(Keys.postsOf(this.friend.id()))).isEqualTo(1);
	}

	@Test
	void aRepostThatIsInTheLogButNotListedIsTheOneThatTheNextClicksMean() {
		repost(this.friend, this.post);
		awaitCount(1);
		String first = repostOf(this.friend);
		this.site.redis().hdel(Keys.reposts(this.post), this.friend.id());
		repost(this.friend, this.post);
		assertThat(repostOf(this.friend)).isEqualTo(first);
		this.site.redis().hdel(Keys.reposts(this.post), this.friend.id());
		undo(this.friend, this.post);
		assertThat(postsOn(this.follower, "/home")).isEmpty();
		assertThat(repost(this.friend, this.post).status()).isEqualTo(303);
		assertThat(repostOf(this.friend)).isNotNull().isNotEqualTo(first);
	}

	@Test
	void aRepostThatIsTakenBackLeavesThePagesAndTheOpenStreams() {
		repost(this.friend, this.post);
		awaitCount(1);
		String repost = repostOf(this.friend);
		String live = this.follower.get("/home").live();
		assertThat(undo(this.friend, this.post).status()).isEqualTo(303);
		assertThat(undo(this.friend, this.post).status()).as("again").isEqualTo(303);
		awaitCount(0);
		assertThat(postsOn(this.follower, "/home")).isEmpty();
		try (EventStream home = this.follower.open(live)) {
			home.await((event) -> event.name().equals("delete") && event.data().equals(repost));
		}
		assertThat(this.author.get("/posts/" + this.post).status()).as("the original stays").isEqualTo(200);
		assertThat(repost(this.friend, this.post).status()).isEqualTo(303);
		awaitCount(1);
	}

	@Test
	void aDeletedPostTakesItsRepostsWithIt() {
		repost(this.friend, this.post);
		awaitCount(1);
		String repost = repostOf(this.friend);
		this.author.submit("/posts/" + this.post + "/delete");
		assertThat(postsOn(this.follower, "/home")).isEmpty();
		Awaitility.await().atMost(SOON).untilAsserted(() -> {
			assertThat(this.site.redis().zrange(Keys.postsOf(this.friend.id()), 0, -1)).isEmpty();
			assertThat(this.site.redis().zscore(Keys.homeTimeline(this.follower.id()), repost)).isNull();
			assertThat(this.site.redis().exists(Keys.reposts(this.post))).isZero();
		});
		assertThat(repost(this.friend, this.post).status()).isEqualTo(404);
	}

	@Test
	void theLastOfQuickClicksDecides() {
		for (int i = 0; i < TIMES; i++) {
			assertThat(repost(this.friend, this.post).status()).isEqualTo(303);
			undo(this.friend, this.post);
		}
		repost(this.friend, this.post);
		awaitCount(1);
		String last = repostOf(this.friend);
		assertThat(this.site.redis().hexists("post:" + last, "deleted")).isFalse();
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.site.redis().zrange(Keys.postsOf(this.friend.id()), 0, -1))
				.containsExactly(last));
	}

	@Test
	void aRepostThatIsListedLateAfterItsDeletionIsInNobodysWay() {
		repost(this.friend, this.post);
		awaitCount(1);
		String first = repostOf(this.friend);
		undo(this.friend, this.post);
		awaitCount(0);
		this.site.redis().hset(Keys.reposts(this.post), this.friend.id(), first);
		repost(this.friend, this.post);
		awaitCount(1);
		assertThat(repostOf(this.friend)).isNotEqualTo(first);
	}

	@Test
	void theRepostsOfADeletedPostGoWithoutAnEventOrALogEntryForEach() {
		repost(this.friend, this.post);
		awaitCount(1);
		String live = this.follower.get("/home").live();
		String replayedFrom = Visitor.of(this.site).get("/@" + this.friend.name()).live();
		try (EventStream home = this.follower.open(live)) {
			this.author.submit("/posts/" + this.post + "/delete");
			Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.reposts(this.post)) == 0);
			this.friend.post("after it");
			home.awaitPost("after it");
			assertThat(home.events("delete")).extracting(EventStream.Event::data).containsExactly(this.post);
		}
		assertThat(this.site.redis().xrange(Keys.LOG, Range.unbounded())).extracting(StreamMessage::getBody)
			.filteredOn((entry) -> "delete".equals(entry.get("type")))
			.extracting((entry) -> entry.get("user"))
			.contains(this.author.id())
			.doesNotContain(this.friend.id());
		try (EventStream replayed = this.follower.open(replayedFrom)) {
			replayed.awaitPost("after it");
			assertThat(replayed.events("post")).hasSize(1);
		}
	}

	@Test
	void aDeletedAccountIsToldOfOnceAndItsRepostsAndRepliesCountNoMore() {
		String id = this.friend.id();
		String second = this.author.post("another");
		repost(this.friend, this.post);
		repost(this.friend, second);
		this.friend.postJson("body", "a reply", "once", this.post + second, "reply_to", second);
		awaitCount(1);
		String counted = "{\"post\":\"" + second + "\",\"replies\":1,\"likes\":0,\"reposts\":1}";
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis()
				.xrange(Keys.LOG, Range.unbounded())
				.stream()
				.anyMatch((entry) -> counted.equals(entry.getBody().get("facts"))));
		String before = this.site.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getId();
		this.friend.get("/settings");
		this.friend.submit("/settings/delete", "password", Visitor.PASSWORD);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.author.getJson("/posts/" + second).status()).isEqualTo(200));
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().exists(Keys.user(id)) == 1
					&& this.site.redis().hget(Keys.user(id), "username") == null);
		assertThat(this.site.redis().hmget("post:" + second, "replies", "reposts")).extracting(KeyValue::getValue)
			.containsExactly("0", "0");
		assertThat(this.site.redis()
			.xrange(Keys.LOG, Range.from(Range.Boundary.excluding(before), Range.Boundary.unbounded())))
			.filteredOn((entry) -> entry.getBody().containsValue(id)
					|| entry.getBody().getOrDefault("facts", "").contains(second))
			.extracting((entry) -> entry.getBody().get("type"))
			.filteredOn((type) -> !type.equals("notify"))
			.containsExactly("closed", "recounted", "freed");
		awaitCount(0);
	}

	@Test
	void whatIsDoneToARepostIsDoneToItsOriginal() {
		repost(this.friend, this.post);
		String repost = repostOf(this.friend);
		Answer page = this.follower.get("/posts/" + repost);
		assertThat(page.status()).isEqualTo(303);
		assertThat(page.location()).isEqualTo("/posts/" + this.post);
		this.follower.get("/home");
		this.follower.submit("/posts/" + repost + "/repost");
		this.follower.submit("/posts/" + repost + "/like");
		awaitCount(2);
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zscore(Keys.likes(this.post), this.follower.id()) != null);
		assertThat(this.follower.getJson("/reactions?posts=" + this.post).json().get("reposts").get(0).asString())
			.isEqualTo(this.post);
	}

	private static List<String> names(Answer list) {
		return Pattern.compile("<li><a class=\"author\" href=\"/@([^\"]*)\"")
			.matcher(list.body())
			.results()
			.map((name) -> name.group(1))
			.toList();
	}

	@Test
	void thePageOfAPostLeadsToThoseWhoRepostItTheLatestFirst() {
		Visitor stranger = Visitor.of(this.site);
		String list = "/posts/" + this.post + "/reposts";
		assertThat(stranger.get("/posts/" + this.post).body()).contains("<a href=\"" + list + "\">Reposts</a>");
		assertThat(stranger.get(list).body()).contains("to be reposted", "Nobody has reposted this post yet.");
		repost(this.friend, this.post);
		awaitCount(1);
		repost(this.follower, this.post);
		awaitCount(2);
		assertThat(names(stranger.get(list))).containsExactly(this.follower.name(), this.friend.name());
		assertThat(this.follower.get(list).body()).contains("formaction=\"/@" + this.friend.name() + "/unfollow\"",
				"<time class=\"when\" datetime=\"");
		JsonNode json = this.follower.getJson(list).json();
		assertThat(json.get("users").get(1).get("username").asString()).isEqualTo(this.friend.name());
		assertThat(json.get("users").get(1).get("followed").asBoolean()).isTrue();
		assertThat(json.get("older").isNull()).isTrue();
		assertThat(stranger.get("/posts/" + repostOf(this.friend) + "/reposts").postIds()).containsExactly(this.post);
		undo(this.follower, this.post);
		awaitCount(1);
		assertThat(names(stranger.get(list))).containsExactly(this.friend.name());
		this.site.bean(AccountSuspension.class).set(this.friend.id(), true).block(SOON);
		assertThat(names(stranger.get(list))).isEmpty();
	}

	@Test
	void aLongListOfThoseWhoRepostGoesOnWhereItWasWhoeverComesAndGoes() {
		String list = "/posts/" + this.post + "/reposts";
		List<String> users = new ArrayList<>();
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < 120; i++) {
			String id = Objects.requireNonNull(this.site.bean(TimeSortedIdGenerator.class).next().block()).id();
			String name = Visitor.freshName();
			this.site.redis().hset(Keys.user(id), Map.of("username", name, "created", "1"));
			users.add(id);
			expected.add(0, name);
			reposted(id, SINCE + i / 3, i);
		}
		Visitor stranger = Visitor.of(this.site);
		Answer first = stranger.get(list);
		assertThat(names(first)).isEqualTo(expected.subList(0, 50));
		this.site.redis().hdel(Keys.reposts(this.post), users.get(119 - 49), users.get(119 - 60));
		reposted(this.friend.id(), SINCE + 1000, 1);
		Answer second = stranger.get(first.older());
		assertThat(names(second)).isEqualTo(without(expected.get(60), expected.subList(50, 101)));
		assertThat(names(stranger.get(second.older()))).isEqualTo(expected.subList(101, 120));
		assertThat(stranger.get(second.older()).older()).isEmpty();
		assertThat(names(stranger.get(list))).startsWith(this.friend.name(), expected.get(0));
		assertThat(stranger.get(first.older().replace("/reposts?", "/likes?")).status()).isEqualTo(400);
	}

	private void reposted(String userId, long millis, int number) {
		this.site.redis().hset(Keys.reposts(this.post), userId, TimeSortedIdGenerator.of(millis, number + 1));
	}

	private static List<String> without(String name, List<String> names) {
		return names.stream().filter((one) -> !one.equals(name)).toList();
	}

	@Test
	void aRepostThatWasListedWhenItWasDeletedAlreadyMakesRoomForTheNextOne() {
		String gone = this.friend.post("stands for a repost that is deleted");
		assertThat(this.friend.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		repost(this.friend, this.post);
		FanOutWait.settle(this.site);
		String repost = repostOf(this.friend);
		this.site.redis().hset(Keys.reposts(this.post), this.friend.id(), gone);
		Mono.zip(this.site.bean(RenderedPosts.class).require(repost),
				this.site.bean(InstanceLogPosition.class).position())
			.flatMap((again) -> this.site.bean(RepostIndexer.class).posted(again.getT1(), again.getT2()))
			.block(SOON);
		assertThat(repostOf(this.friend)).isEqualTo(repost);
		assertThat(this.site.redis().hexists(Keys.post(repost), "deleted")).as("it was confirmed to its user")
			.isFalse();
	}

}
