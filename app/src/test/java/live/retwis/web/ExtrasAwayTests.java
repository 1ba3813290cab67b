package live.retwis.web;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import live.retwis.account.UnreadNotificationCounter;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLogListener;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shard with what a page shows beside its posts is away or slow. Such a page comes
 * without it.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class ExtrasAwayTests {

	private static final String DOWN = "-CLUSTERDOWN The cluster is down\r\n";

	private static Interception away(FaultProxy way, String key) {
		return way.at(SentCommand.with(key)).rewriteReply((reply) -> DOWN);
	}

	@Test
	void pagesComeWithoutTheNumberOfUnreadNotifications(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			reader.post("hello");
			FanOutWait.settle(site);
			try (Interception unread = away(way, Keys.notifications(reader.id()))) {
				for (String path : List.of("/home", "/timeline", "/@" + reader.name(), "/search", "/settings")) {
					((CommitLogListener) site.bean(UnreadNotificationCounter.class)).reset();
					assertThat(reader.get(path).status()).as(path).isEqualTo(200);
				}
				Answer posted = reader.postJson("body", "still here", "once", UUID.randomUUID().toString(), "reply_to",
						"");
				assertThat(posted.status()).isEqualTo(201);
				assertThat(unread.met()).isPositive();
			}
		}
	}

	/** The shard hangs, and the cluster has not noticed yet. */
	@Test
	@Tag("slow")
	@Tag("long")
	void pagesDoNotWaitForASlowShardWithWhatIsBesideTheirPosts() {
		try (ClusterServers cluster = ClusterServers.start("cluster-require-full-coverage no",
				"cluster-replica-no-failover yes"); Site site = Site.startOn(cluster.settings())) {
			RedisProcess slow = cluster.masterOf(Keys.RECENT_USERS);
			assertThat(slow).isEqualTo(cluster.masterOf(Keys.TRENDING_DAY)).isNotEqualTo(cluster.masterOf(Keys.LOG));
			Visitor reader = Stream.generate(() -> Visitor.registered(site))
				.filter((visitor) -> cluster.masterOf(Keys.notifications(visitor.id())) == slow)
				.filter((visitor) -> Stream.concat(
						site.keys("auth:*").stream().filter((key) -> site.redis().get(key).startsWith(visitor.id())),
						Stream.of(Keys.user(visitor.id()), Keys.muted(visitor.id()), Keys.blocked(visitor.id())))
					.noneMatch((key) -> cluster.masterOf(key) == slow))
				.findFirst()
				.orElseThrow();
			slow.pause();
			try {
				for (String path : List.of("/settings", "/timeline", "/search")) {
					Answer page = reader.get(path);
					assertThat(page.status()).as(path).isEqualTo(200);
					assertThat(page.took()).as(path).isLessThan(Duration.ofMillis(1500));
				}
			}
			finally {
				slow.resume();
			}
		}
	}

	@Test
	void pagesComeWithoutTagsNewUsersAndSuggestions(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			try (Interception tags = away(way, Keys.TRENDING_DAY); Interception newest = away(way, Keys.RECENT_USERS)) {
				for (Visitor visitor : List.of(reader, Visitor.of(site))) {
					for (String path : List.of("/timeline", "/search")) {
						assertThat(visitor.get(path).status()).as(path).isEqualTo(200);
					}
				}
				assertThat(reader.get("/home").status()).isEqualTo(200);
				assertThat(tags.met()).isPositive();
				assertThat(newest.met()).isPositive();
			}
		}
	}

}
