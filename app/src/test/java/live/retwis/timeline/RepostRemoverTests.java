package live.retwis.timeline;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

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
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that dies while it deletes the reposts of a deleted post. */
@ExtendWith(RedisExtension.class)
class RepostRemoverTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final String IDLE = "--retwis.fan-out.worker=false";

	@Test
	void aRepostWhoseWorkerDiedBeforeItLeftTheTimelinesIsDeletedByTheNextWorker(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, IDLE);
				Site dying = Site.startAt("127.0.0.1", way.port(), IDLE, "--spring.data.redis.timeout=20s")) {
			Visitor author = Visitor.registered(site);
			Visitor friend = Visitor.registered(site);
			Visitor follower = Visitor.registered(site);
			String post;
			try (Site worker = Site.start(redis)) {
				follower.follow(friend);
				follower.get("/home");
				post = author.post("to be reposted");
				friend.get("/posts/" + post);
				friend.submit("/posts/" + post + "/repost");
				FanOutWait.settle(worker);
			}
			String repost = site.redis().hget(Keys.reposts(post), friend.id());
			String home = Keys.homeTimeline(follower.id());
			assertThat(site.redis().zscore(home, repost)).isNotNull();
			author.submit("/posts/" + post + "/delete");
			LogEntry entry = site.bean(CommitLog.class)
				.between("-", "+")
				.filter((logged) -> logged.type() == LogEntry.Type.DELETE)
				.last()
				.blockOptional(BOUND)
				.orElseThrow();
			try (Interception held = way.at(SentCommand.with(home).and(SentCommand.containing(repost))).holdCommand()) {
				CompletableFuture<Void> work = dying.bean(FanOutDispatcher.class).apply(entry).toFuture();
				held.awaitMet();
				work.cancel(true);
			}
			site.redis().zadd(home, 1, repost);
			site.bean(FanOutDispatcher.class).resume(entry).block(BOUND);
			assertThat(site.redis().zscore(home, repost)).isNull();
			assertThat(site.redis().zscore(Keys.postsOf(friend.id()), repost)).isNull();
			assertThat(site.redis().hget(Keys.reposts(post), friend.id())).isNull();
		}
	}

}
