package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.timeline.HomeTimelineWriter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How fan-out changes home timelines.
 */
@ExtendWith(RedisExtension.class)
class FollowerTimelinesTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static LogEntry post(Site site) {
		return site.bean(CommitLog.class)
			.between("-", "+")
			.filter((logged) -> logged.type() == LogEntry.Type.POST)
			.last()
			.blockOptional(BOUND)
			.orElseThrow();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aFollowDuringASlowRemovalRestoresThePosts(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=8s")) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String own = reader.post("own");
			reader.follow(author);
			String post = author.post("the post");
			reader.unfollow(author);
			FanOutWait.settle(site);
			String timeline = Keys.homeTimeline(reader.id());
			assertThat(site.redis().zrange(timeline, 0, -1)).containsExactly(own);
			CompletableFuture<Void> work;
			try (Interception held = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(timeline)))
				.holdCommand()) {
				work = slow.bean(FanOutDispatcher.class).resume(post(site)).toFuture();
				held.awaitMet();
				reader.follow(author);
				FanOutWait.settle(site);
				assertThat(site.redis().zrange(timeline, 0, -1)).containsExactly(own, post);
			}
			work.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
			assertThat(site.redis().zrange(timeline, 0, -1)).containsExactly(own, post);
			assertThat(reader.get("/home").posts()).containsExactly("the post", "own");
		}
	}

	@Test
	void aPostThatADeadWorkerAddedAfterAnUnfollowIsRemoved(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor stays = Visitor.registered(site);
			Visitor leaves = Visitor.registered(site);
			stays.follow(author);
			leaves.follow(author);
			author.post("the post");
			leaves.unfollow(author);
			FanOutWait.settle(site);
			LogEntry entry = post(site);
			Cursor place = new Cursor(entry.position().millis(), entry.post());
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			timelines.announce(leaves.id(), "maker")
				.then(timelines.begin(leaves.id(), "maker", List.of(place), null))
				.block(BOUND);
			Awaitility.await()
				.atMost(BOUND)
				.untilAsserted(() -> assertThat(leaves.get("/home").posts()).as("the post that the dead worker added")
					.containsExactly("the post"));
			site.bean(FanOutDispatcher.class).resume(entry).block(BOUND);
			assertThat(leaves.get("/home").posts()).isEmpty();
			assertThat(stays.get("/home").posts()).containsExactly("the post");
		}
	}

}
