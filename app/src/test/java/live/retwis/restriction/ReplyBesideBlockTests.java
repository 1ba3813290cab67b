package live.retwis.restriction;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A reply that is on its way when its author is blocked. */
@ExtendWith(RedisExtension.class)
class ReplyBesideBlockTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final String once = UUID.randomUUID().toString();

	private Interception publication(Scene scene) {
		return scene.way()
			.at(SentCommand.with(Keys.LOG).and(SentCommand.with(Keys.once(scene.bob().id(), this.once))))
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
	private CompletableFuture<Answer> replyWhileBlocked(Scene scene) {
		try (Interception held = publication(scene)) {
			CompletableFuture<Answer> reply = reply(scene.bob(), scene.post());
			held.awaitMet();
			block(scene.alice(), scene.bob());
			return reply;
		}
	}

	@Test
	@Tag("slow")
	void aReplyThatComesAtTheSameTimeAsABlockIsRefused(@OwnRedis TestRedis redis) throws Exception {
		try (Scene scene = Scene.start(redis)) {
			CompletableFuture<Answer> reply = replyWhileBlocked(scene);
			assertThat(reply.get(BOUND.toSeconds(), TimeUnit.SECONDS).status()).isEqualTo(403);
			FanOutWait.settle(scene.site());
			assertThat(scene.redis().zcard(Keys.replies(scene.post()))).isZero();
			assertThat(scene.redis().zcard(Keys.postsOf(scene.bob().id()))).isZero();
		}
	}

	/** The reply is public by then, so the workers delete it. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aReplyBesideABlockIsDeletedEvenIfItsRequestEndsBeforeTheSecondLook(@OwnRedis TestRedis redis) {
		try (Scene scene = Scene.start(redis)) {
			try (Interception look = scene.way()
				.at(SentCommand.with(Keys.blocked(scene.bob().id())))
				.nth(2)
				.holdCommand()) {
				CompletableFuture<Answer> reply = replyWhileBlocked(scene);
				look.awaitMet();
				assertThat(reply.join().status()).as("when the time of a request is over").isEqualTo(503);
			}
			FanOutWait.settle(scene.site());
			Awaitility.await().atMost(BOUND).until(() -> scene.redis().zcard(Keys.postsOf(scene.bob().id())) == 0);
			assertThat(scene.redis().zcard(Keys.replies(scene.post()))).isZero();
		}
	}

	/**
	 * Its request knows of no post then, so that nobody but the workers can delete it.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aReplyBesideABlockIsDeletedEvenIfItIsPublishedAfterItsRequestHasEnded(@OwnRedis TestRedis redis) {
		try (Scene scene = Scene.start(redis)) {
			try (Interception held = publication(scene)) {
				CompletableFuture<Answer> reply = reply(scene.bob(), scene.post());
				held.awaitMet();
				block(scene.alice(), scene.bob());
				assertThat(reply.join().status()).as("when the time of a request is over").isEqualTo(503);
			}
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> scene.redis().exists(Keys.once(scene.bob().id(), this.once)) == 1);
			FanOutWait.settle(scene.site());
			Awaitility.await().atMost(BOUND).until(() -> scene.redis().zcard(Keys.postsOf(scene.bob().id())) == 0);
			assertThat(scene.redis().zcard(Keys.replies(scene.post()))).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aRepostThatIsPublishedBesideABlockIsDeleted(@OwnRedis TestRedis redis) {
		try (Scene scene = Scene.start(redis)) {
			CompletableFuture<Answer> repost;
			try (Interception held = scene.way()
				.at(SentCommand.with(Keys.LOG)
					.and(SentCommand.with(Keys.once(scene.bob().id(), "repost:" + scene.post()))))
				.holdCommand()) {
				repost = CompletableFuture.supplyAsync(() -> scene.bob().submit("/posts/" + scene.post() + "/repost"));
				held.awaitMet();
				block(scene.alice(), scene.bob());
			}
			assertThat(repost.join().status()).isEqualTo(303);
			Awaitility.await().atMost(BOUND).until(() -> scene.redis().zcard(Keys.postsOf(scene.bob().id())) == 0);
			FanOutWait.settle(scene.site());
			assertThat(scene.redis().exists(Keys.reposts(scene.post()))).isZero();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
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

	/**
	 * Bob replies to a post by Alice. His instance reaches Redis through a proxy.
	 */
	private record Scene(FaultProxy way, Site site, Site slow, Visitor alice, Visitor bob,
			String post) implements AutoCloseable {

		static Scene start(TestRedis redis) {
			FaultProxy way = redis.proxy();
			Site site = Site.start(redis);
			Site slow = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s");
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(slow);
			String post = alice.post("a question");
			bob.get("/posts/" + post);
			return new Scene(way, site, slow, alice, bob, post);
		}

		RedisClusterCommands<String, String> redis() {
			return this.site.redis();
		}

		@Override
		public void close() {
			this.slow.close();
			this.site.close();
			this.way.close();
		}

	}

}
