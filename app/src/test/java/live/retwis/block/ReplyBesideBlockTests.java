package live.retwis.block;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A reply that is on its way when its author is blocked. */
@ExtendWith(RedisExtension.class)
class ReplyBesideBlockTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final String once = UUID.randomUUID().toString();

	private Interception publication(FaultProxy way, Visitor author) {
		return way.at(SentCommand.with(Keys.LOG).and(SentCommand.with(Keys.once(author.id(), this.once))))
			.holdCommand();
	}

	private CompletableFuture<Answer> reply(Visitor author, String post) {
		return CompletableFuture
			.supplyAsync(() -> author.postJson("body", "a reply", "once", this.once, "reply_to", post));
	}

	private static void block(Visitor user, Visitor other) {
		user.get("/@" + other.name());
		assertThat(user.submit("/@" + other.name() + "/block").status()).isEqualTo(303);
	}

	/** Sends a reply, and blocks its author before it is published. */
	private CompletableFuture<Answer> replyWhileBlocked(FaultProxy way, Visitor alice, Visitor bob, String post) {
		try (Interception held = publication(way, bob)) {
			CompletableFuture<Answer> reply = reply(bob, post);
			held.awaitMet();
			block(alice, bob);
			return reply;
		}
	}

	@Test
	void aReplyThatComesAtTheSameTimeAsABlockIsRefused(@OwnRedis TestRedis redis) throws Exception {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s")) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(slow);
			String post = alice.post("a question");
			bob.get("/posts/" + post);
			CompletableFuture<Answer> reply = replyWhileBlocked(way, alice, bob, post);
			assertThat(reply.get(BOUND.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(403);
			FanOutWait.settle(site);
			assertThat(site.redis().zcard(Keys.replies(post))).isZero();
			assertThat(site.redis().zcard(Keys.postsOf(bob.id()))).isZero();
		}
	}

	/** The reply is public by then, so the workers delete it. */
	@Test
	void aReplyBesideABlockIsDeletedEvenIfItsRequestEndsBeforeTheSecondLook(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s")) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(slow);
			String post = alice.post("a question");
			bob.get("/posts/" + post);
			try (Interception look = way.at(SentCommand.with(Keys.blocked(bob.id()))).nth(2).holdCommand()) {
				CompletableFuture<Answer> reply = replyWhileBlocked(way, alice, bob, post);
				look.awaitMet();
				assertThat(reply.join().status()).as("when the time of a request is over").isEqualTo(503);
			}
			FanOutWait.settle(site);
			Awaitility.await().atMost(BOUND).until(() -> site.redis().zcard(Keys.postsOf(bob.id())) == 0);
			assertThat(site.redis().zcard(Keys.replies(post))).isZero();
		}
	}

	/**
	 * Its request knows of no post then, so that nobody but the workers can delete it.
	 */
	@Test
	void aReplyBesideABlockIsDeletedEvenIfItIsPublishedAfterItsRequestHasEnded(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s")) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(slow);
			String post = alice.post("a question");
			bob.get("/posts/" + post);
			try (Interception held = publication(way, bob)) {
				CompletableFuture<Answer> reply = reply(bob, post);
				held.awaitMet();
				block(alice, bob);
				assertThat(reply.join().status()).as("when the time of a request is over").isEqualTo(503);
			}
			Awaitility.await().atMost(BOUND).until(() -> site.redis().exists(Keys.once(bob.id(), this.once)) == 1);
			FanOutWait.settle(site);
			Awaitility.await().atMost(BOUND).until(() -> site.redis().zcard(Keys.postsOf(bob.id())) == 0);
			assertThat(site.redis().zcard(Keys.replies(post))).isZero();
		}
	}

	@Test
	void aBlockAfterAReplyDoesNotDeleteItEvenIfTheWorkersAreLate(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			String post = alice.post("a question");
			bob.get("/posts/" + post);
			assertThat(reply(bob, post).join().status()).isEqualTo(201);
			block(alice, bob);
			try (Site late = Site.start(redis)) {
				FanOutWait.settle(late);
				assertThat(late.redis().zcard(Keys.postsOf(bob.id()))).isOne();
				assertThat(late.redis().zcard(Keys.replies(post))).isOne();
			}
		}
	}

	/** As after an answer that was lost. */
	@Test
	void aReplyThatWasMadeBeforeTheBlockIsAnsweredAsMadeWhenItsFormComesAgain() {
		Site site = Site.shared();
		Visitor alice = Visitor.registered(site);
		Visitor bob = Visitor.registered(site);
		String post = alice.post("a question");
		bob.get("/posts/" + post);
		Answer made = bob.postJson("body", "an answer", "once", this.once, "reply_to", post);
		assertThat(made.status()).isEqualTo(201);
		block(alice, bob);
		Answer again = bob.postJson("body", "an answer", "once", this.once, "reply_to", post);
		assertThat(again.status()).isEqualTo(201);
		assertThat(again.header("Location")).isEqualTo(made.header("Location"));
		Answer other = bob.postJson("body", "another answer", "reply_to", post);
		assertThat(other.status()).isEqualTo(403);
	}

}
