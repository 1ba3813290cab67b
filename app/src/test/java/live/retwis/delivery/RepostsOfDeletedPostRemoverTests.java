package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that dies, or is cut off, while it deletes the reposts of a deleted post. */
@ExtendWith(RedisExtension.class)
class RepostsOfDeletedPostRemoverTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final String IDLE = "--retwis.fan-out.worker=false";

	private static LogEntry lastDeletion(Site site) {
		return site.bean(CommitLog.class)
			.between("-", "+")
			.filter((logged) -> logged.type() == LogEntry.Type.DELETE)
			.last()
			.blockOptional(BOUND)
			.orElseThrow();
	}

	/** Makes a post, and reposts of it. */
	private static String reposted(TestRedis redis, Visitor author, Visitor follower, List<Visitor> friends) {
		try (Site worker = Site.start(redis)) {
			follower.get("/home");
			String post = author.post("to be reposted");
			friends.forEach((friend) -> {
				follower.follow(friend);
				friend.get("/posts/" + post);
				friend.submit("/posts/" + post + "/repost");
			});
			FanOutWait.settle(worker);
			return post;
		}
	}

	private static void assertGone(Site site, String post, Map<String, String> reposts, Visitor follower) {
		assertThat(site.redis().hgetall(Keys.reposts(post))).isEmpty();
		reposts.forEach((user, repost) -> {
			assertThat(site.redis().zscore(Keys.homeTimeline(follower.id()), repost)).isNull();
			assertThat(site.redis().zscore(Keys.postsOf(user), repost)).isNull();
		});
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aRepostWhoseWorkerDiedBeforeItLeftTheTimelinesIsDeletedByTheNextWorker(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, IDLE);
				Site dying = Site.startAt("127.0.0.1", way.port(), IDLE, "--spring.data.redis.timeout=20s")) {
			Visitor author = Visitor.registered(site);
			Visitor follower = Visitor.registered(site);
			String post = reposted(redis, author, follower, List.of(Visitor.registered(site)));
			Map<String, String> reposts = site.redis().hgetall(Keys.reposts(post));
			String repost = reposts.values().iterator().next();
			String home = Keys.homeTimeline(follower.id());
			assertThat(site.redis().zscore(home, repost)).isNotNull();
			author.submit("/posts/" + post + "/delete");
			LogEntry entry = lastDeletion(site);
			try (Interception held = way.at(SentCommand.with(home).and(SentCommand.containing(repost))).holdCommand()) {
				CompletableFuture<Void> work = dying.bean(FanOutDispatcher.class).apply(entry).toFuture();
				held.awaitMet();
				work.cancel(true);
			}
			// What was held has arrived before this answer.
			dying.bean(CommitLog.class).head().block(BOUND);
			site.redis().zadd(home, 1, repost);
			site.bean(FanOutDispatcher.class).resume(entry).block(BOUND);
			assertGone(site, post, reposts, follower);
		}
	}

	/** Otherwise it would be given up after a few tries. */
	@Test
	@Tag("slow")
	@Tag("long")
	void whenTheNodeOfSeveralRepostsIsAwayTheDeletionSaysSoAndTheNextWorkerEndsIt(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, IDLE);
				Site cut = Site.startAt("127.0.0.1", way.port(), IDLE, "--spring.data.redis.timeout=1s")) {
			Visitor author = Visitor.registered(site);
			Visitor follower = Visitor.registered(site);
			List<Visitor> friends = Stream.generate(() -> Visitor.registered(site)).limit(5).toList();
			String post = reposted(redis, author, follower, friends);
			Map<String, String> reposts = site.redis().hgetall(Keys.reposts(post));
			assertThat(reposts).hasSize(5);
			author.submit("/posts/" + post + "/delete");
			LogEntry entry = lastDeletion(site);
			try (Interception held = way
				.at(SentCommand.with(Keys.homeTimeline(follower.id())).and(SentCommand.containing(post).negate()))
				.holdCommand()) {
				StepVerifier.create(cut.bean(FanOutDispatcher.class).apply(entry))
					.expectErrorMatches(RedisErrorClassifier::isAway)
					.verify(BOUND);
				held.awaitMet();
			}
			site.bean(FanOutDispatcher.class).resume(entry).block(BOUND);
			assertGone(site, post, reposts, follower);
		}
	}

}
