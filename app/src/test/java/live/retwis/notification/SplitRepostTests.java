package live.retwis.notification;

import java.util.List;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Reposts by users whose followers are in several lists. */
@Timeout(180)
@ExtendWith(RedisExtension.class)
class SplitRepostTests {

	private static final String SHARD = "--retwis.follow.shard=3";

	private static final String PUSH = "--retwis.timeline.push-limit=1000";

	@Test
	void theAuthorIsToldOfARepostWhoseFanOutIsSplit(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, SHARD, PUSH)) {
			Visitor author = Visitor.registered(site);
			Visitor star = Visitor.registered(site);
			try (SeededFollowers fans = SeededFollowers.plant("127.0.0.1", redis.port(), star.id(), 7, 3)) {
				String post = author.post("to be reposted");
				assertThat(star.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
				FanOutWait.settle(site);
				assertThat(site.redis().zrange(Keys.notifications(author.id()), 0, -1)).hasSize(1);
			}
		}
	}

	/** Another program has written there. */
	@Test
	void damagedNotificationsOfTheAuthorDoNotKeepARepostFromTheFollowers(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.follow.shard=1")) {
			Visitor author = Visitor.registered(site);
			Visitor star = Visitor.registered(site);
			List<Visitor> fans = List.of(Visitor.registered(site), Visitor.registered(site));
			for (Visitor fan : fans) {
				fan.post("own");
				fan.follow(star);
			}
			String post = author.post("to be reposted");
			star.get("/posts/" + post);
			site.redis().del(Keys.notifications(author.id()));
			site.redis().set(Keys.notifications(author.id()), "what?");
			assertThat(star.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
			FanOutWait.settle(site);
			assertThat(fans).allSatisfy(
					(fan) -> assertThat(site.redis().zcard(Keys.homeTimeline(fan.id()))).as(fan.name()).isEqualTo(2));
		}
	}

	/** The worker dies after the script that replaces the entry with tasks. */
	@Test
	@Tag("slow")
	@Tag("long")
	void theAuthorIsToldOfARepostWhoseWorkerDiedWhenItHadSplitTheFanOut(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site other = Site.start(redis, SHARD, PUSH, "--retwis.fan-out.worker=false")) {
			Visitor author = Visitor.registered(other);
			Visitor star = Visitor.registered(other);
			try (Site doomed = Site.startAt("127.0.0.1", way.port(), SHARD, PUSH);
					SeededFollowers fans = SeededFollowers.plant("127.0.0.1", redis.port(), star.id(), 7, 3)) {
				String post = author.post("to be reposted");
				FanOutWait.settle(doomed);
				Interception split = way.at(SentCommand.running("Splits a log entry")).holdReply();
				assertThat(star.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
				split.awaitMet();
				way.blackHole();
			}
			try (Site next = Site.start(redis, SHARD, PUSH)) {
				FanOutWait.settle(next);
				assertThat(next.redis().zrange(Keys.notifications(author.id()), 0, -1)).as("what the author is told of")
					.hasSize(1);
			}
		}
	}

}
