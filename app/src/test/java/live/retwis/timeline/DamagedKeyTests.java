package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Another program has written to the key of a list. The other lists get new posts. */
@ExtendWith(RedisExtension.class)
class DamagedKeyTests {

	private TestRedis redis;

	private Site site;

	private Visitor alice;

	private Visitor bob;

	private Visitor carol;

	private Visitor dave;

	/** The last three follow the first one, in this order. */
	@BeforeEach
	void start(@OwnRedis TestRedis redis) {
		this.redis = redis;
		this.site = Site.start(redis);
		this.alice = Visitor.registered(this.site);
		this.bob = Visitor.registered(this.site);
		this.carol = Visitor.registered(this.site);
		this.dave = Visitor.registered(this.site);
		for (Visitor follower : List.of(this.bob, this.carol, this.dave)) {
			follower.get("/home");
			follower.follow(this.alice);
		}
		this.alice.post("before");
		FanOutWait.settle(this.site);
	}

	@AfterEach
	void stop() {
		this.site.close();
	}

	private void damage(String key) {
		this.site.redis().del(key);
		this.site.redis().set(key, "what?");
	}

	private String post(Visitor author, String text) {
		String post = author.post(text);
		FanOutWait.settle(this.site);
		return post;
	}

	/** Returns the id of the account. */
	private String deleteAccount(Visitor visitor) {
		String id = visitor.id();
		visitor.get("/settings");
		assertThat(visitor.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await("no name")
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.site.redis().exists(Keys.username(visitor.name().toLowerCase(Locale.ROOT))) == 0);
		assertThat(this.site.redis().exists(Keys.postsOf(id), Keys.DEAD_LETTERS)).isZero();
		return id;
	}

	private void assertTheyHaveIt(String post, Visitor... readers) {
		for (Visitor reader : readers) {
			assertThat(this.site.redis().zscore(Keys.homeTimeline(reader.id()), post)).as(reader.name()).isNotNull();
			assertThat(reader.get("/home").postIds()).contains(post);
		}
		assertThat(this.site.redis().exists(Keys.DEAD_LETTERS)).isZero();
		assertThat(Visitor.ofManagement(this.site).get("/actuator/prometheus").find("retwis_keys_damaged_total (\\d+)"))
			.isNotEqualTo("0");
	}

	@Test
	void aDamagedHomeTimelineDoesNotKeepAPostFromTheOtherFollowers() {
		damage(Keys.homeTimeline(this.carol.id()));
		String post = post(this.alice, "for everybody");
		assertTheyHaveIt(post, this.bob, this.dave);
		this.alice.submit("/posts/" + post + "/delete");
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().zrange(Keys.homeTimeline(this.dave.id()), 0, -1)).isNotEmpty()
			.doesNotContain(post);
		this.site.redis().del(Keys.homeTimeline(this.carol.id()));
		assertThat(this.carol.get("/home").posts()).as("once it is mended").containsExactly("before");
	}

	@Test
	void damagedNotificationsOfOneUserDoNotKeepAPostFromOthers() {
		damage(Keys.notifications(this.carol.id()));
		damage(Keys.mentions(this.carol.id()));
		String post = post(this.alice, "for @" + this.carol.name() + " and @" + this.dave.name());
		assertTheyHaveIt(post, this.bob, this.dave);
		assertThat(this.site.redis().zrange(Keys.mentions(this.dave.id()), 0, -1)).containsExactly(post);
		assertThat(this.site.redis().zcard(Keys.notifications(this.dave.id()))).isOne();
	}

	@Test
	@Tag("slow")
	void aDamagedListKeepsADeletedPostInNoOther() {
		String replied = post(this.bob, "whom she answers");
		assertThat(this.alice.submit("/posts", "body", "sunny #broken #whole", "reply_to", replied).status())
			.isEqualTo(303);
		FanOutWait.settle(this.site);
		String post = this.site.redis().zrevrange(Keys.postsOf(this.alice.id()), 0, 0).get(0);
		this.alice.submit("/posts/" + post + "/repost");
		for (String key : List.of(Keys.tag("broken"), Keys.replies(replied), Keys.reposts(post),
				Keys.pulledOf(this.alice.id()), Keys.notifications(this.bob.id()))) {
			damage(key);
		}
		this.alice.submit("/posts/" + post + "/delete");
		FanOutWait.settle(this.site);
		for (String list : List.of(Keys.tag("whole"), Keys.word("sunny"), Keys.postsOf(this.alice.id()),
				Keys.homeTimeline(this.dave.id()), Keys.homeTimeline(this.alice.id()))) {
			assertThat(this.site.redis().zrange(list, 0, -1)).as(list).doesNotContain(post);
		}
		assertThat(this.site.redis().exists(Keys.DEAD_LETTERS)).isZero();
	}

	@Test
	void aDamagedTagOrWordDoesNotKeepAPostFromFollowersAndOtherTags() {
		damage(Keys.tag("broken"));
		damage(Keys.word("sunny"));
		String post = post(this.alice, "sunny weather #broken #whole");
		assertTheyHaveIt(post, this.bob, this.carol, this.dave);
		for (String list : List.of(Keys.tag("whole"), Keys.word("weather"))) {
			assertThat(this.site.redis().zrange(list, 0, -1)).as(list).containsExactly(post);
		}
	}

	@Test
	void aDamagedCountOfTagsKeepsNoPostFromTheListOfItsTag() {
		damage(Keys.TRENDING_COUNTED);
		String post = post(this.alice, "fine #weather");
		assertTheyHaveIt(post, this.bob, this.carol, this.dave);
		assertThat(this.site.redis().zrange(Keys.tag("weather"), 0, -1)).containsExactly(post);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDamagedListOfPulledPostsKeepsNoPostFromTheAuthorsProfile() {
		try (Site pulling = Site.start(this.redis, "--retwis.timeline.push-limit=1")) {
			damage(Keys.pulledOf(this.alice.id()));
			String post = this.alice.sentTo(pulling.url("")).post("to be pulled");
			FanOutWait.settle(pulling);
			assertThat(this.site.redis().zscore(Keys.postsOf(this.alice.id()), post)).isNotNull();
		}
	}

	@Test
	void aDamagedHomeTimelineDoesNotKeepTheDataOfADeletedAuthor() {
		damage(Keys.homeTimeline(this.carol.id()));
		deleteAccount(this.alice);
		assertThat(this.site.redis().zcard(Keys.homeTimeline(this.dave.id()))).isZero();
	}

	@Test
	void damagedLikesOfAPostDoNotKeepTheDataOfADeletedUserWhoLikedIt() {
		String whole = post(this.alice, "liked, too");
		String broken = this.bob.post("liked");
		for (String post : List.of(whole, broken)) {
			this.dave.get("/posts/" + post);
			this.dave.submit("/posts/" + post + "/like");
		}
		FanOutWait.settle(this.site);
		Awaitility.await("likes")
			.atMost(Duration.ofSeconds(30))
			.until(() -> Stream.of(whole, broken).allMatch((post) -> this.site.redis().zcard(Keys.likes(post)) == 1));
		damage(Keys.likes(broken));
		String id = deleteAccount(this.dave);
		assertThat(this.site.redis().exists(Keys.likes(whole), Keys.liked(id))).isZero();
	}

	@Test
	void damagedRepliesOfAPostDoNotKeepAReplyFromTheFollowersOfItsAuthor() {
		this.dave.follow(this.bob);
		String question = post(this.alice, "a question");
		this.bob.get("/posts/" + question);
		damage(Keys.replies(question));
		assertThat(this.bob.submit("/posts", "body", "an answer", "reply_to", question).status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		String answer = this.bob.get("/@" + this.bob.name()).postIds().get(0);
		assertTheyHaveIt(answer, this.bob, this.dave);
	}

}
