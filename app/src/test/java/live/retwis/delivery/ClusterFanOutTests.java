package live.retwis.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import live.retwis.fanout.FanOutQueue;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.DataNodeMemory;
import live.retwis.redis.Keys;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.ServerCost;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Home timelines are spread over three masters.
 */
@Timeout(60)
class ClusterFanOutTests {

	private static final Logger log = LoggerFactory.getLogger(ClusterFanOutTests.class);

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int FOLLOWERS = 1000;

	private static final Duration LONGER_THAN_AN_ENTRY_IS_TRIED = Duration.ofSeconds(4);

	private final ClusterServers cluster = ClusterServers.start();

	@AfterEach
	void stop() {
		this.cluster.close();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostToAThousandFollowersTakesATenthAsManyScripts() {
		List<String> followers = IntStream.range(0, FOLLOWERS).mapToObj("0F%011d"::formatted).toList();
		try (Site site = Site.startOn(this.cluster.settings())) {
			Visitor author = Visitor.registered(site);
			for (String follower : followers) {
				this.cluster.commands().zadd(Keys.followers(author.id()), 1.0, follower);
				this.cluster.commands().zadd(Keys.homeTimeline(follower), 1.0, "0AAAAAAAAAAAA");
			}
			author.post("the scripts are known");
			settle(site);
			List<String> posts = new ArrayList<>();
			ServerCost cost = ServerCost.of(this.cluster.masters(), () -> {
				posts.add(author.post("to everybody"));
				settle(site);
			});
			log.info("a post to 1,000 followers: {} scripts, {} ms of Redis: {}", cost.calls("evalsha"),
					cost.time().toNanos() / 1e6, cost.calls());
			assertThat(cost.calls("evalsha")).isLessThan(FOLLOWERS / 10);
			assertThat(followers).allMatch(
					(follower) -> this.cluster.commands().zscore(Keys.homeTimeline(follower), posts.get(0)) != null);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theFullestMasterDecidesWhetherPostsAreTaken() {
		try (Site site = Site.startOn(this.cluster.settings())) {
			DataNodeMemory memory = site.bean(DataNodeMemory.class);
			RedisProcess last = this.cluster.masters().get(this.cluster.masters().size() - 1);
			long used = Long.parseLong(NodeConnections.ask(last, (commands) -> commands.info("memory"))
				.replaceFirst("(?s).*used_memory:(\\d+).*", "$1"));
			assertThat(memory.isNearlyFull()).isFalse();
			NodeConnections.ask(last, (commands) -> commands.configSet("maxmemory", Long.toString(used * 21 / 20)));
			try {
				Awaitility.await().atMost(BOUND).until(memory::isNearlyFull);
			}
			finally {
				NodeConnections.ask(last, (commands) -> commands.configSet("maxmemory", "0"));
			}
			Awaitility.await().atMost(BOUND).until(() -> !memory.isNearlyFull());
		}
	}

	/** While a slot moves, a command is refused if its keys are on different sides. */
	@Test
	@Tag("long")
	@Tag("slow")
	void aPostThatIsMadeWhileASlotMovesReachesAllTimelines() {
		try (Site site = Site.startOn(this.cluster.settings(), "--retwis.timeline.size=5")) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			author.get("/home");
			reader.get("/home");
			reader.follow(author);
			IntStream.range(0, 5).forEach((i) -> author.post("before " + i));
			settle(site);
			String timeline = Keys.homeTimeline(reader.id());
			RedisProcess from = this.cluster.masterOf(timeline);
			RedisProcess to = this.cluster.masters().stream().filter((node) -> node != from).findFirst().orElseThrow();
			int slot = SlotHash.getSlot(timeline);
			String fromId = NodeConnections.ask(from, RedisCommands::clusterMyId);
			String toId = NodeConnections.ask(to, RedisCommands::clusterMyId);
			NodeConnections.ask(to, (commands) -> commands.clusterSetSlotImporting(slot, fromId));
			NodeConnections.ask(from, (commands) -> commands.clusterSetSlotMigrating(slot, toId));
			String post = author.post("while it moves");
			Awaitility.await()
				.during(LONGER_THAN_AN_ENTRY_IS_TRIED)
				.atMost(BOUND)
				.until(() -> this.cluster.commands().xlen(Keys.DEAD_LETTERS) == 0);
			NodeConnections.ask(to, (commands) -> commands.clusterSetSlotStable(slot));
			NodeConnections.ask(from, (commands) -> commands.clusterSetSlotStable(slot));
			settle(site);
			assertThat(this.cluster.commands().zrange(timeline, 0, -1)).hasSize(5).last().isEqualTo(post);
		}
	}

	private static void settle(Site site) {
		LogPosition head = site.bean(CommitLog.class).head().block(BOUND);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> Boolean.TRUE
				.equals(Mono.defer(() -> site.bean(FanOutQueue.class).isDoneUpTo(Objects.requireNonNull(head)))
					.block(BOUND)));
	}

}
