package live.retwis.log;

import java.util.List;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.DelayedWriteSites;
import live.retwis.testing.EventStream;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A button is pressed again because Redis has done the first press and its answer was
 * lost. When the second press is answered, everybody is told. No instance finishes the
 * first press here, because none has workers.
 */
@ExtendWith(RedisExtension.class)
class PressedAgainTests {

	@SuppressWarnings("NullAway.Init")
	private static DelayedWriteSites sites;

	private final Visitor alice = Visitor.registered(sites.fast());

	private final Visitor bob = Visitor.registered(sites.fast());

	private final Visitor friend = Visitor.registered(sites.fast());

	/** After it the node knows the scripts. */
	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		sites = new DelayedWriteSites(redis);
		Visitor one = Visitor.registered(sites.fast());
		Visitor other = Visitor.registered(sites.fast());
		for (String button : List.of("follow", "unfollow", "mute", "unmute")) {
			submit(one, "/@" + other.name() + "/" + button);
		}
		submit(one, "/posts/" + one.post("to be deleted") + "/delete");
		submit(one, "/settings/profile", "name", "Somebody", "bio", "");
	}

	@AfterAll
	static void stop() {
		sites.close();
	}

	private static void submit(Visitor visitor, String path, String... fields) {
		assertThat(visitor.submit(path, fields).status()).as(path).isEqualTo(303);
	}

	/**
	 * Presses a button twice. The answer to the script with this argument is lost once.
	 */
	private static void pressTwice(Visitor visitor, String argument, String path, String... fields) {
		Visitor slow = visitor.sentTo(sites.slow().url(""));
		slow.get("/settings");
		sites.unanswered(argument, () -> assertThat(slow.submit(path, fields).status()).isEqualTo(503));
		submit(slow, path, fields);
	}

	private static EventStream open(Visitor visitor) {
		EventStream stream = visitor.open("/live/home");
		stream.await((event) -> event.name().equals("position"));
		return stream;
	}

	/** Whether a post that Bob makes now comes on Alice's open page. */
	private boolean comes(EventStream home, String text) {
		this.bob.post(text);
		this.friend.post("after: " + text);
		home.awaitPost("after: " + text);
		return home.events("post").size() == 2;
	}

	private String ofBob(String button) {
		return "/@" + this.bob.name() + "/" + button;
	}

	private long logged(String type) {
		return sites.fast()
			.redis()
			.xrange(Keys.LOG, Range.unbounded())
			.stream()
			.filter((entry) -> type.equals(entry.getBody().get("type"))
					&& this.alice.id().equals(entry.getBody().get("user")))
			.count();
	}

	@Test
	void thePostsOfSomebodyWhoIsFollowedComeOnTheOpenPage() {
		this.alice.follow(this.friend);
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.following(this.alice.id()), ofBob("follow"));
			assertThat(comes(home, "by somebody who is followed")).isTrue();
		}
	}

	@Test
	void thePostsOfSomebodyWhoIsNoLongerFollowedDoNotCome() {
		List.of(this.bob, this.friend).forEach(this.alice::follow);
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.following(this.alice.id()), ofBob("unfollow"));
			assertThat(comes(home, "by somebody who is not followed")).isFalse();
		}
	}

	@Test
	void thePostsOfSomebodyWhoIsMutedDoNotCome() {
		List.of(this.bob, this.friend).forEach(this.alice::follow);
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.muted(this.alice.id()), ofBob("mute"));
			assertThat(comes(home, "by somebody who is muted")).isFalse();
		}
	}

	@Test
	void aBlockEndsTheFollowsAndThePostsDoNotCome() {
		List.of(this.bob, this.friend).forEach(this.alice::follow);
		this.bob.follow(this.alice);
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.blocked(this.alice.id()), ofBob("block"));
			assertThat(comes(home, "by somebody who is blocked")).isFalse();
		}
		assertThat(sites.fast().redis().zrange(Keys.following(this.alice.id()), 0, -1))
			.containsExactly(this.friend.id());
		assertThat(sites.fast().redis().exists(Keys.following(this.bob.id()))).isZero();
	}

	@Test
	void thePostsOfSomebodyWhoIsNoLongerMutedComeAndArePagedAtOnce() {
		List.of(this.bob, this.friend).forEach(this.alice::follow);
		submit(this.alice, ofBob("mute"));
		Visitor slow = this.alice.sentTo(sites.slow().url(""));
		String post = this.bob.post("while Bob is muted");
		assertThat(slow.get("/timeline").postIds()).doesNotContain(post);
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.muted(this.alice.id()), ofBob("unmute"));
			assertThat(slow.get("/timeline").postIds()).contains(post);
			assertThat(comes(home, "by somebody who is not muted")).isTrue();
		}
	}

	@Test
	void aDeletedPostLeavesOpenPages() {
		String post = this.alice.post("to be deleted");
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, Keys.post(post), "/posts/" + post + "/delete");
			home.await((event) -> event.name().equals("delete") && event.data().equals(post));
		}
	}

	@Test
	void aNewNameComesOnOpenPages() {
		try (EventStream home = open(this.alice)) {
			pressTwice(this.alice, "Alice the Second", "/settings/profile", "name", "Alice the Second", "bio", "");
			home.await((event) -> event.name().equals("profile") && event.data().contains("Alice the Second"));
		}
	}

	@Test
	void aThirdPressTellsNothingAfterTheFirstOneIsFinished() {
		pressTwice(this.alice, Keys.muted(this.alice.id()), ofBob("mute"));
		assertThat(logged("mute")).isOne();
		sites.fast().redis().del(Keys.INTENTS);
		submit(this.alice, ofBob("mute"));
		assertThat(logged("mute")).isOne();
	}

}
