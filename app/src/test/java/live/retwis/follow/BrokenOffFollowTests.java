package live.retwis.follow;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The connection to Redis breaks between the two sides of a follow.
 */
@ExtendWith(RedisExtension.class)
class BrokenOffFollowTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	/** The script that writes this user's list of followers. */
	private static Predicate<SentCommand> writesFollowersOf(Visitor user) {
		return SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.followerShards(user.id())));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeletedAccountIsNobodysFollowerAlthoughItsRemovalBrokeOff(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, NO_WORKER);
				Site working = Site.startAt("127.0.0.1", way.port())) {
			Visitor friend = Visitor.registered(site);
			Visitor leaver = Visitor.registered(site);
			leaver.follow(friend);
			FanOutWait.settle(site);
			String id = leaver.id();
			try (Interception cut = way.at(writesFollowersOf(friend)).cutBefore()) {
				leaver.get("/settings");
				assertThat(leaver.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
				cut.awaitMet();
			}
			Awaitility.await().atMost(SOON).until(() -> !site.redis().hexists(Keys.user(id), "username"));
			assertThat(site.redis().zrange(Keys.followers(friend.id()), 0, -1)).isEmpty();
			assertThat(site.redis().exists(Keys.following(id))).isZero();
			FanOutWait.settle(working);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whoseUnfollowBrokeOffAndWhoFollowsAgainIsInOneShard(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis, "--retwis.follow.shard=2");
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.follow.shard=2", NO_WORKER)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.follow(author);
			List.of(Visitor.registered(site), Visitor.registered(site)).forEach((other) -> other.follow(author));
			Visitor same = reader.sentTo(slow.url(""));
			same.get("/@" + author.name());
			try (Interception cut = way.at(writesFollowersOf(author)).cutBefore()) {
				assertThat(same.submit("/@" + author.name() + "/unfollow").status()).isEqualTo(503);
				cut.awaitMet();
			}
			assertThat(site.redis().zrange(Keys.followers(author.id(), 0), 0, -1)).contains(reader.id());
			reader.follow(author);
			assertThat(site.redis().zrange(Keys.followers(author.id(), 0), 0, -1)).doesNotContain(reader.id());
			assertThat(site.redis().zrange(Keys.followers(author.id(), 1), 0, -1)).contains(reader.id());
			assertThat(site.redis().hget(Keys.followerShards(author.id()), "count")).isEqualTo("3");

			reader.get("/@" + author.name());
			assertThat(reader.submit("/@" + author.name() + "/unfollow").status()).isEqualTo(303);
			FanOutWait.settle(site);
			author.post("not for who has left");
			FanOutWait.settle(site);
			assertThat(reader.get("/home").posts()).isEmpty();
		}
	}

}
