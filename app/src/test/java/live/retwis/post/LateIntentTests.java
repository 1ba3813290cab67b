package live.retwis.post;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Commits;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection that breaks is replaced, and its commands are sent again. What was still
 * on its way on the old connection may arrive later. So the intent of a post can come
 * back when the post is committed.
 */
@ExtendWith(RedisExtension.class)
class LateIntentTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final Queue<String> intents = new ConcurrentLinkedQueue<>();

	/** Notes the intents of posts that an instance declares. */
	private Interception note(FaultProxy way) {
		Predicate<SentCommand> declaring = SentCommand.named("EVALSHA", "EVAL")
			.and(SentCommand.with(Keys.INTENTS))
			.and((command) -> command.arguments()
				.stream()
				.filter((argument) -> argument.startsWith("post "))
				.allMatch(this.intents::add));
		return way.at(declaring).watch();
	}

	/** The declaration arrives once more, and the time of the intent is over. */
	private void arriveLate(Site site) {
		assertThat(this.intents).isNotEmpty();
		this.intents.forEach((intent) -> site.redis().zadd(Keys.INTENTS, 1, intent));
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(
					() -> assertThat(site.redis().zrange(Keys.INTENTS, 0, -1)).doesNotContainAnyElementsOf(this.intents)
						.noneMatch((intent) -> intent.startsWith("taken post ")));
	}

	@Test
	@Tag("slow")
	void aCommittedPostStaysWhenItsIntentComesBack(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor alice = Visitor.registered(site);
			try (Interception noted = note(way)) {
				alice.post("acknowledged");
			}
			arriveLate(site);
			assertThat(alice.get("/home").posts()).containsExactly("acknowledged");
			assertThat(site.keys("post:*")).singleElement()
				.satisfies((post) -> assertThat(site.redis().hget(post, "body")).isEqualTo("acknowledged"));
		}
	}

	@Test
	@Tag("slow")
	void aRepostStaysWhenItsIntentComesBack(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor alice = Visitor.registered(site);
			String post = alice.post("to be reposted");
			Visitor bob = Visitor.registered(site);
			bob.get("/timeline");
			try (Interception noted = note(way)) {
				assertThat(bob.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
			}
			arriveLate(site);
			assertThat(bob.get("/@" + bob.name()).posts()).containsExactly("to be reposted");
			assertThat(site.keys("post:*")).hasSize(2);
		}
	}

	/**
	 * After an hour the site has forgotten what a form has made, and an old page that is
	 * sent again makes another post. The data node was down as long as that, or is an
	 * older one from a backup.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aPostThatWasRefusedGoesWhenItsIntentIsFoundAfterAnHour(boolean again, @OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			String once = alice.get("/home").once();
			String old = storeOld(site, alice);
			if (again) {
				assertThat(alice.submit("/posts", "body", "made later", "once", once).status()).isEqualTo(303);
			}
			this.intents.add("post " + old + " " + alice.id() + ":" + once + " 01234567");
			arriveLate(site);
			assertThat(site.redis().exists(Keys.post(old))).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "string", "zset" })
	void aPublishedPostStaysWhenItsIntentComesBackAfterAnHour(String list, @OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			String old = storeOld(site, alice);
			if (list.equals("zset")) {
				site.redis().zadd(Keys.postsOf(alice.id()), TimeSortedIdGenerator.millisOf(old), old);
			}
			else {
				site.redis().set(Keys.postsOf(alice.id()), "something else has written here");
			}
			this.intents.add("post " + old + " " + alice.id() + ":once 01234567");
			arriveLate(site);
			assertThat(site.redis().exists(Keys.post(old))).isOne();
		}
	}

	/** The workers were away as long as the data node. */
	@Test
	void aPostThatOnlyTheLogNamesStaysWhenItsIntentComesBackAfterAnHour(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			String old = storeOld(site, alice);
			Commits.publish(site, old, alice.id(), "once").block(BOUND);
			FanOutWait.settle(site);
			site.redis().zrem(Keys.postsOf(alice.id()), old);
			site.redis().del(Keys.once(alice.id(), "once"));
			this.intents.add("post " + old + " " + alice.id() + ":once 01234567");
			arriveLate(site);
			assertThat(site.redis().exists(Keys.post(old))).isOne();
		}
	}

	private static String storeOld(Site site, Visitor author) {
		String old = TimeSortedIdGenerator.of(System.currentTimeMillis() - CommitLog.ONCE.toMillis() - 60_000, 1);
		site.redis().hset(Keys.post(old), "author", author.id());
		return old;
	}

	/** The second form makes no post, but its hash was stored before that was known. */
	@Test
	@Tag("slow")
	void nothingIsLeftOfAFormThatWasSentTwiceWhenItsIntentComesBack(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor alice = Visitor.registered(site);
			String once = alice.get("/home").once();
			assertThat(alice.submit("/posts", "body", "just once", "once", once).status()).isEqualTo(303);
			try (Interception noted = note(way)) {
				assertThat(alice.submit("/posts", "body", "just once", "once", once).status()).isEqualTo(303);
			}
			String late = this.intents.element().split(" ")[1];
			site.redis().hset(Keys.post(late), "author", alice.id());
			arriveLate(site);
			assertThat(site.redis().exists(Keys.post(late))).isZero();
			assertThat(alice.get("/home").posts()).containsExactly("just once");
		}
	}

}
