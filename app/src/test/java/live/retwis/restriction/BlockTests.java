package live.retwis.restriction;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.Intent;
import live.retwis.reaction.ReactionWriter;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a block keeps the blocked user from, and what the data node has of it. */
@ExtendWith(RedisExtension.class)
class BlockTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private boolean follows(Visitor follower, Visitor followed) {
		boolean follows = this.site.redis().zscore(Keys.following(follower.id()), followed.id()) != null;
		boolean isFollower = this.site.redis().zscore(Keys.followers(followed.id()), follower.id()) != null;
		assertThat(isFollower).isEqualTo(follows);
		return follows;
	}

	/** The types of the log entries by which Alice has restricted Bob, oldest first. */
	private List<String> logged() {
		return this.site.redis()
			.xrange(Keys.LOG, Range.unbounded())
			.stream()
			.map((entry) -> entry.getBody())
			.filter((fields) -> this.alice.id().equals(fields.get("user")) && this.bob.id().equals(fields.get("other")))
			.map((fields) -> fields.getOrDefault("type", ""))
			.toList();
	}

	@Test
	void aBlockEndsTheFollowsInBothDirectionsAndNewOnesAreRefusedUntilItIsTakenBack() {
		this.alice.follow(this.bob);
		this.bob.follow(this.alice);
		this.alice.post("for followers");
		FanOutWait.settle(this.site);
		assertThat(this.bob.get("/home").posts()).containsExactly("for followers");
		assertThat(RestrictingVisitor.press(this.alice, "block", this.bob).status()).isEqualTo(303);
		assertThat(follows(this.alice, this.bob)).isFalse();
		assertThat(follows(this.bob, this.alice)).isFalse();
		FanOutWait.settle(this.site);
		assertThat(this.bob.get("/home").posts()).isEmpty();
		Answer refused = RestrictingVisitor.press(this.bob, "follow", this.alice);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.body()).contains("You cannot follow @" + this.alice.name() + ", who has blocked you.");
		Answer own = RestrictingVisitor.press(this.alice, "follow", this.bob);
		assertThat(own.status()).isEqualTo(403);
		assertThat(own.body()).contains("Unblock @" + this.bob.name() + " before you follow.");
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		this.bob.follow(this.alice);
		assertThat(follows(this.bob, this.alice)).isTrue();
	}

	@Test
	void aMuteEndsNoFollow() {
		this.alice.follow(this.bob);
		this.bob.follow(this.alice);
		RestrictingVisitor.press(this.alice, "mute", this.bob);
		assertThat(follows(this.alice, this.bob)).isTrue();
		assertThat(follows(this.bob, this.alice)).isTrue();
		assertThat(RestrictingVisitor.press(this.bob, "follow", this.alice).status()).isEqualTo(303);
	}

	@Test
	void whoIsBlockedCannotReplyAndKeepsTheText() {
		String post = this.alice.post("to be replied to");
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.bob.get("/posts/" + post);
		Answer refused = this.bob.submit("/posts", "body", "my reply", "once", UUID.randomUUID().toString(), "reply_to",
				post);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.textarea()).isEqualTo("my reply");
		assertThat(refused.errors()).containsExactly(
				"You cannot reply to @" + this.alice.name() + ", who has blocked you. Your text is still here.");
		String once = UUID.randomUUID().toString();
		assertThat(this.bob.postJson("body", "my reply", "once", once, "reply_to", post).status()).isEqualTo(403);
		assertThat(this.site.redis().zcard(Keys.replies(post))).isZero();
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		assertThat(this.bob.postJson("body", "my reply", "once", once, "reply_to", post).status()).isEqualTo(201);
	}

	@Test
	void whoHasBlockedCannotReplyBeforeUnblockingAndKeepsTheText() {
		String post = this.bob.post("to be replied to");
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.alice.get("/settings/blocked");
		Answer refused = this.alice.submit("/posts", "body", "my reply", "once", UUID.randomUUID().toString(),
				"reply_to", post);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.textarea()).isEqualTo("my reply");
		assertThat(refused.errors()).containsExactly("You have blocked @" + this.bob.name() + ". Unblock @"
				+ this.bob.name() + " before you reply. Your text is still here.");
		String once = UUID.randomUUID().toString();
		assertThat(this.alice.postJson("body", "my reply", "once", once, "reply_to", post).status()).isEqualTo(403);
		assertThat(this.site.redis().zcard(Keys.replies(post))).isZero();
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		assertThat(this.alice.postJson("body", "my reply", "once", once, "reply_to", post).status()).isEqualTo(201);
	}

	/** A like waits for two commands only, none of which can look for a block. */
	@Test
	void aLikeByWhoIsBlockedIsTakenBackBeforeItCountsAndTheNextOneIsRefused() {
		String like = "/posts/" + this.alice.post("not for Bob") + "/like";
		String post = like.split("/")[2];
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.bob.get("/posts/" + post);
		Awaitility.await().atMost(SOON).untilAsserted(() -> {
			Answer refused = this.bob.submit(like);
			assertThat(refused.status()).isEqualTo(403);
			assertThat(refused.body())
				.contains("You cannot like a post by @" + this.alice.name() + ", who has blocked you.");
		});
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.liked(this.bob.id())) == 0);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.likes(post), Keys.notifications(this.alice.id()))).isZero();
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		this.bob.get("/posts/" + post);
		assertThat(this.bob.submit(like).status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(post)) == 1);
	}

	/** Its instance died, so another one finishes it after the block. */
	@Test
	void aLikeThatWasAnsweredBeforeABlockIsNotTakenBackByIt() {
		String post = this.alice.post("liked by Bob");
		this.site.redis().zadd(Keys.liked(this.bob.id()), System.currentTimeMillis() - 60_000, post);
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.site.bean(ReactionWriter.class)
			.finish(Intent.of(Intent.Kind.REACTION, this.bob.id(), "LIKE:" + post + ":" + this.alice.id()))
			.block(SOON);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(post)) == 1);
		assertThat(this.site.redis().zcard(Keys.liked(this.bob.id()))).isOne();
	}

	/**
	 * After a fail-over the clock of the data node may be behind the log, which times
	 * blocks.
	 */
	@Test
	void aLikeOfWhoIsBlockedIsTakenBackAlsoWhileTheClockIsBehindTheLog() {
		String post = this.alice.post("not for Bob");
		RestrictingVisitor.press(this.alice, "block", this.bob);
		long now = System.currentTimeMillis();
		this.site.redis().zadd(Keys.blocked(this.alice.id()), now + 60_000, this.bob.id());
		this.site.redis().zadd(Keys.liked(this.bob.id()), now, post);
		this.site.bean(ReactionWriter.class)
			.finish(Intent.of(Intent.Kind.REACTION, this.bob.id(), "LIKE:" + post + ":" + this.alice.id()))
			.block(SOON);
		assertThat(this.site.redis().exists(Keys.liked(this.bob.id()))).isZero();
	}

	/** The one who was blocked likes the post again, and sees the answer. */
	@Test
	@Tag("slow")
	void aLikeIsNotTakenBackAfterTheBlockIsOver(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s");
				Site direct = Site.start(redis)) {
			Visitor author = Visitor.registered(direct);
			Visitor reader = Visitor.registered(direct);
			String like = "/posts/" + author.post("liked") + "/like";
			RestrictingVisitor.press(author, "block", reader);
			Visitor blocked = Visitor.of(behind).sending("Cookie", "auth=" + reader.cookie("auth"));
			blocked.get("/home");
			try (Interception held = way.at(SentCommand.named("ZREM").and(SentCommand.with(Keys.liked(reader.id()))))
				.holdCommand()) {
				assertThat(blocked.submit(like).status()).isEqualTo(303);
				held.awaitMet();
				RestrictingVisitor.press(author, "unblock", reader);
				reader.get("/home");
				assertThat(reader.submit(like).status()).isEqualTo(303);
			}
			Awaitility.await().atMost(SOON).until(() -> direct.redis().exists(Keys.INTENTS) == 0);
			FanOutWait.settle(direct);
			assertThat(direct.redis().zcard(Keys.liked(reader.id()))).isOne();
			assertThat(direct.redis().zcard(Keys.likes(like.split("/")[2]))).isOne();
		}
	}

	@Test
	void aLikeFromBeforeTheBlockStaysAndCanBeTakenBack() {
		String post = this.alice.post("liked by Bob");
		this.bob.get("/posts/" + post);
		assertThat(this.bob.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(post)) == 1);
		RestrictingVisitor.press(this.alice, "block", this.bob);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().zcard(Keys.likes(post))).isOne();
		this.bob.get("/posts/" + post);
		assertThat(this.bob.submit("/posts/" + post + "/unlike").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(post)) == 0);
	}

	@Test
	void repostsBetweenUsersOfWhomOneHasBlockedTheOtherAreRefused() {
		String post = this.alice.post("not for Bob");
		String own = this.bob.post("not for Alice");
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.bob.get("/posts/" + post);
		Answer refused = this.bob.submit("/posts/" + post + "/repost");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.body())
			.contains("You cannot repost a post by @" + this.alice.name() + ", who has blocked you.");
		this.alice.get("/settings/blocked");
		Answer blocking = this.alice.submit("/posts/" + own + "/repost");
		assertThat(blocking.status()).isEqualTo(403);
		assertThat(blocking.body()).contains("Unblock @" + this.bob.name() + " before you repost.");
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.reposts(post), Keys.reposts(own))).isZero();
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		this.bob.get("/posts/" + post);
		assertThat(this.bob.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
	}

	@Test
	void aMentionByWhoIsBlockedIsNotListed() {
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.bob.post("hello @" + this.alice.name());
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.mentions(this.alice.id()))).isZero();
		RestrictingVisitor.press(this.alice, "unblock", this.bob);
		String listed = this.bob.post("hello again @" + this.alice.name());
		FanOutWait.settle(this.site);
		assertThat(this.alice.get("/mentions").postIds()).containsExactly(listed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void pressedAgainItChangesAndLogsNothing(String button) {
		this.alice.get("/@" + this.bob.name());
		for (String action : List.of(button, "un" + button)) {
			for (int i = 0; i < 3; i++) {
				assertThat(RestrictingVisitor.press(this.alice, action, this.bob).status()).isEqualTo(303);
			}
		}
		assertThat(logged()).containsExactly(button, "un" + button);
		assertThat(this.site.redis().exists(Keys.muted(this.alice.id()), Keys.blocked(this.alice.id()))).isZero();
	}

	@Test
	void theLastEntryAgreesWithTheListWhateverCameAtOnce() {
		this.alice.get("/@" + this.bob.name());
		for (int round = 0; round < 10; round++) {
			assertThat(Simultaneous.times(4,
					(i) -> this.alice.submit("/@" + this.bob.name() + ((i % 2 == 0) ? "/mute" : "/unmute")).status()))
				.containsOnly(303);
			boolean muted = this.site.redis().zscore(Keys.muted(this.alice.id()), this.bob.id()) != null;
			List<String> entries = logged();
			assertThat(entries.isEmpty() ? "unmute" : entries.get(entries.size() - 1)).as("round %s", round)
				.isEqualTo(muted ? "mute" : "unmute");
		}
	}

	@Test
	void aFollowThatComesAtTheSameTimeDoesNotOutliveTheBlock() {
		this.alice.get("/@" + this.bob.name());
		this.bob.get("/@" + this.alice.name());
		for (int round = 0; round < 20; round++) {
			List<Integer> answers = Simultaneous.times(3, (i) -> switch (i) {
				case 0 -> this.alice.submit("/@" + this.bob.name() + "/block").status();
				case 1 -> this.bob.submit("/@" + this.alice.name() + "/follow").status();
				default -> this.alice.submit("/@" + this.bob.name() + "/follow").status();
			});
			assertThat(answers).isSubsetOf(303, 403);
			assertThat(follows(this.bob, this.alice)).as("round %s", round).isFalse();
			assertThat(follows(this.alice, this.bob)).as("round %s", round).isFalse();
			assertThat(RestrictingVisitor.press(this.alice, "unblock", this.bob).status()).isEqualTo(303);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aFullListRefusesMoreAndSaysSo(Restriction restriction) {
		String key = restriction.key(this.alice.id());
		this.site.redis()
			.zadd(key,
					IntStream.range(0, RestrictionRepository.MOST)
						.mapToObj((i) -> ScoredValue.just(i, "0%012d".formatted(i)))
						.toArray(ScoredValue[]::new));
		Answer refused = RestrictingVisitor.press(this.alice, restriction.action(true), this.bob);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.body()).contains(restriction.list() + " 2,000 users, which is the limit.");
		assertThat(this.site.redis().zcard(key)).isEqualTo(RestrictionRepository.MOST);
		assertThat(logged()).isEmpty();
		this.alice.get("/settings/" + restriction.list());
		assertThat(this.site.redis().zcard(key)).as("accounts that do not exist go").isLessThan(2000);
		assertThat(RestrictingVisitor.press(this.alice, restriction.action(true), this.bob).status()).isEqualTo(303);
		this.site.redis().del(key);
	}

	@Test
	void aBlockWhoseInstanceDiedIsFinishedByAnother() {
		this.alice.follow(this.bob);
		this.bob.follow(this.alice);
		this.site.redis().zadd(Keys.blocked(this.alice.id()), System.currentTimeMillis(), this.bob.id());
		this.site.redis()
			.zadd(Keys.INTENTS, 1,
					Intent.of(Intent.Kind.RESTRICTION, this.alice.id(), "BLOCK:" + this.bob.id()).text());
		Awaitility.await().atMost(SOON).until(() -> logged().contains("block"));
		assertThat(follows(this.alice, this.bob)).isFalse();
		assertThat(follows(this.bob, this.alice)).isFalse();
	}

	@Test
	void aFollowThatABlockHasOvertakenIsTakenBackWhenItsInstanceDied() {
		RestrictingVisitor.press(this.alice, "block", this.bob);
		this.site.redis().zadd(Keys.following(this.bob.id()), System.currentTimeMillis(), this.alice.id());
		this.site.redis().zadd(Keys.INTENTS, 1, Intent.of(Intent.Kind.FOLLOW, this.bob.id(), this.alice.id()).text());
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zscore(Keys.following(this.bob.id()), this.alice.id()) == null);
	}

	@Test
	void aDeletedAccountTakesItsListsAndLeavesThoseOfOthersWhenTheyAreRead() {
		RestrictingVisitor.press(this.alice, "mute", this.bob);
		RestrictingVisitor.press(this.alice, "block", this.bob);
		RestrictingVisitor.press(this.bob, "mute", this.alice);
		RestrictingVisitor.press(this.bob, "block", this.alice);
		String id = this.alice.id();
		this.alice.get("/settings");
		assertThat(this.alice.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.muted(id), Keys.blocked(id)) == 0);
		assertThat(this.bob.get("/settings/muted").body()).contains("You have muted nobody.");
		assertThat(this.bob.get("/settings/blocked").body()).contains("You have blocked nobody.");
		assertThat(this.site.redis().exists(Keys.muted(this.bob.id()), Keys.blocked(this.bob.id()))).isZero();
	}

	@Test
	void oneselfNobodyAndASignedOutVisitorAreAnswered() {
		for (String button : List.of("mute", "unmute", "block", "unblock")) {
			assertThat(RestrictingVisitor.press(this.alice, button, this.alice).status()).isEqualTo(422);
			assertThat(this.alice.submit("/@nobody_is_called_so/" + button).status()).isEqualTo(404);
			Visitor stranger = Visitor.of(this.site);
			stranger.get("/login");
			assertThat(stranger.submit("/@" + this.alice.name() + "/" + button).location()).startsWith("/login");
		}
	}

}
