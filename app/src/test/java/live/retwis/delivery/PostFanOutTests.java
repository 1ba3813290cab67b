package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that stands still in the middle of a new post, and then dies. */
@ExtendWith(RedisExtension.class)
class PostFanOutTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	/** Each follower has a shard, so the entry is split. */
	private static final String SHARD = "--retwis.follow.shard=1";

	@Test
	void aPostThatWasDeletedBeforeItsWorkerSplitItAndDiedIsInNoList(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, SHARD);
				Site slow = Site.startAt("127.0.0.1", way.port(), SHARD, "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=20s")) {
			Visitor author = Visitor.registered(site);
			for (int i = 0; i < 2; i++) {
				Visitor.registered(site).follow(author);
			}
			Visitor follower = reader(author, Visitor.registered(site));
			String post = author.post("soon gone #soon");
			FanOutWait.settle(site);
			List<String> lists = List.of(Keys.postsOf(author.id()), Keys.tag("soon"), Keys.homeTimeline(follower.id()));
			assertThat(lists).allSatisfy((list) -> assertThat(site.redis().zscore(list, post)).as(list).isNotNull());
			LogEntry entry = lastPost(site);
			CompletableFuture<Void> work;
			try (Interception split = way.at(SentCommand.with(Keys.FAN_OUT_TASKS).and(SentCommand.containing(post)))
				.holdCommand()) {
				try (Interception held = way.at(SentCommand.named("ZADD").and(SentCommand.with(lists.get(0))))
					.holdCommand()) {
					work = slow.bean(FanOutDispatcher.class).apply(entry).toFuture();
					held.awaitMet();
					author.submit("/posts/" + post + "/delete");
					FanOutWait.settle(site);
				}
				split.awaitMet();
				work.cancel(true);
			}
			FanOutWait.settle(site);
			assertThat(lists).allSatisfy((list) -> assertThat(site.redis().zscore(list, post)).as(list).isNull());
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostThatWasDeletedBeforeItsWorkerAddedItToATimelineAndDiedIsRemovedByTheNextWorker(
			@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=20s")) {
			Visitor author = Visitor.registered(site);
			String timeline = Keys.homeTimeline(reader(author, Visitor.registered(site)).id());
			String post = author.post("soon gone");
			FanOutWait.settle(site);
			assertThat(site.redis().zscore(timeline, post)).isNotNull();
			LogEntry entry = lastPost(site);
			try (Interception look = way.at(SentCommand.with(Keys.post(post)).and((sent) -> isGone(site, post)))
				.holdCommand()) {
				CompletableFuture<Void> work;
				try (Interception added = way.at(SentCommand.with(timeline).and(SentCommand.with(post)))
					.holdCommand()) {
					work = slow.bean(FanOutDispatcher.class).apply(entry).toFuture();
					added.awaitMet();
					author.submit("/posts/" + post + "/delete");
					FanOutWait.settle(site);
					assertThat(site.redis().zscore(timeline, post)).isNull();
				}
				look.awaitMet();
				work.cancel(true);
				Awaitility.await().atMost(BOUND).until(() -> site.redis().zscore(timeline, post) != null);
			}
			site.bean(FanOutDispatcher.class).resume(entry).block(BOUND);
			assertThat(site.redis().zscore(timeline, post)).isNull();
		}
	}

	private static boolean isGone(Site site, String post) {
		return site.redis().hexists(Keys.post(post), "deleted");
	}

	/** Follows the author, and has a timeline. */
	private static Visitor reader(Visitor author, Visitor reader) {
		reader.follow(author);
		author.post("the first");
		reader.get("/home");
		return reader;
	}

	private static LogEntry lastPost(Site site) {
		return site.bean(CommitLog.class)
			.between("-", "+")
			.filter((logged) -> logged.type() == LogEntry.Type.POST)
			.last()
			.blockOptional(BOUND)
			.orElseThrow();
	}

}
