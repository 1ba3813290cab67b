package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.fanout.FanOutQueue;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.log.CommitLog;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.Commits;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streams and fan-out while one shard of a cluster is away and has no replica.
 */
@Timeout(120)
class LostShardTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/** Time-out of a command to Redis, as the site sets it. */
	private static final Duration COMMAND = Duration.ofSeconds(2);

	/**
	 * How long the streams wait, after the first time-out, for a post that cannot be
	 * read. A try takes as long as that, so it is the second one that ends the wait.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/** Less than another try would take. */
	private static final Duration SLACK = Duration.ofMillis(1500);

	/** How long an entry that was left for later is left alone. */
	private static final Duration LEFT_ALONE = Duration.ofSeconds(10);

	private int ids;

	@Test
	@Tag("slow")
	@Tag("long")
	void onlyStreamsThatWantAPostOfTheLostShardAreResetAndAllContinue() {
		try (ClusterServers cluster = ClusterServers.start("cluster-require-full-coverage no",
				"cluster-replica-no-failover yes"); Site site = Site.startOn(cluster.settings())) {
			RedisProcess lost = lost(cluster);
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			// Streams of a stranger need no session, which may be on the lost shard.
			Visitor stranger = Visitor.of(site);
			String away = stored(site, alice, idOn(cluster, lost), "away");
			String awayToo = stored(site, alice, idOn(cluster, lost), "away, too");
			String there = stored(site, bob, idOn(cluster, cluster.masterOf(Keys.LOG)), "there");
			String thereToo = stored(site, bob, idOn(cluster, cluster.masterOf(Keys.LOG)), "there, too");
			try (EventStream everyone = bob.open("/live/public"); EventStream bobs = bob.open("/live/@" + bob.name())) {
				String before = everyone.await((event) -> true).id();
				List<EventStream> streams = List.of(everyone, bobs);
				lost.pause();
				long began = System.nanoTime();
				publish(site, alice, away);
				publish(site, bob, there);
				streams.forEach((stream) -> stream.awaitPost(there));
				assertThat(since(began)).as("the first one").isLessThan(COMMAND.plus(PATIENCE).plus(SLACK));
				long again = System.nanoTime();
				publish(site, alice, awayToo);
				publish(site, bob, thereToo);
				streams.forEach((stream) -> stream.awaitPost(thereToo));
				assertThat(since(again)).as("the second one").isLessThan(COMMAND.plus(SLACK));
				lost.resume();
				assertThat(everyone.events()).filteredOn((event) -> !event.name().equals("position"))
					.extracting(Event::name)
					.containsExactly("reset", "post", "reset", "post");
				assertThat(everyone.events("reset")).extracting(Event::data).containsOnly("{\"missed\":1}");
				assertThat(bobs.events("reset")).isEmpty();
				try (EventStream later = stranger.open("/live/public?after=" + everyone.events("reset").get(0).id())) {
					later.awaitPost(thereToo);
					assertThat(EventStreams.postIds(later.events())).containsExactly(there, thereToo);
				}
				try (EventStream earlier = stranger.open("/live/public?after=" + before)) {
					earlier.awaitPost(thereToo);
					assertThat(earlier.events("reset")).as("a stream that missed the post gets a reset").isNotEmpty();
				}
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void streamsOfTagsAndConversationsNoticeWhatTheyMayHaveMissed() {
		try (ClusterServers cluster = ClusterServers.start("cluster-require-full-coverage no",
				"cluster-replica-no-failover yes"); Site site = Site.startOn(cluster.settings())) {
			RedisProcess lost = lost(cluster);
			Visitor alice = Visitor.registered(site);
			String question = stored(site, alice, idOn(cluster, cluster.masterOf(Keys.LOG)), "a question");
			String other = stored(site, alice, idOn(cluster, cluster.masterOf(Keys.LOG)), "another");
			String reply = stored(site, alice, idOn(cluster, lost), "#away");
			String first = stored(site, alice, idOn(cluster, lost), "#gone");
			publish(site, alice, question);
			publish(site, alice, other);
			try (EventStream tag = alice.open("/live/tags/away");
					EventStream another = alice.open("/live/tags/gone");
					EventStream conversation = alice.open("/live/posts/" + question);
					EventStream unrelated = alice.open("/live/posts/" + other)) {
				List<EventStream> all = List.of(tag, another, conversation, unrelated);
				all.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
				lost.pause();
				Commits.publish(site, first, alice.id(), first, List.of("gone"), null).block(LIMIT);
				another.await((event) -> event.name().equals("reset"));
				Commits.publish(site, reply, alice.id(), reply, List.of("away"), question).block(LIMIT);
				List.of(tag, conversation, unrelated)
					.forEach((stream) -> stream.await((event) -> event.name().equals("reset")));
				assertThat(all).allSatisfy((stream) -> assertThat(stream.events("reset")).hasSize(1));
				site.bean(CommitLog.class).counted(reply, alice.id(), "{\"post\":\"" + reply + "\"}").block(LIMIT);
				all.forEach((stream) -> stream.await((event) -> event.name().equals("counts")));
				lost.resume();
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void postsReachTimelinesWhileWorkOnTheLostShardWaits() {
		try (ClusterServers cluster = ClusterServers.start("cluster-require-full-coverage no",
				"cluster-replica-no-failover yes");
				Site site = Site.startOn(cluster.settings(), "--spring.data.redis.timeout=1s")) {
			RedisProcess lost = lost(cluster);
			Visitor alice = Visitor.registered(site);
			Visitor bob = registeredElsewhere(site, cluster, lost);
			Visitor carol = registeredElsewhere(site, cluster, lost);
			carol.follow(bob);
			carol.get("/home");
			FanOutWait.settle(site);
			String post = stored(site, bob, idOn(cluster, cluster.masterOf(Keys.LOG)), "!");
			// More than the worker does at once.
			List<String> away = Stream.generate(() -> stored(site, alice, idOn(cluster, lost), "?")).limit(20).toList();
			lost.pause();
			away.forEach((id) -> publish(site, alice, id));
			publish(site, bob, post);
			Awaitility.await()
				.atMost(LIMIT.multipliedBy(6))
				.until(() -> site.redis().zscore(Keys.homeTimeline(carol.id()), post) != null);
			FanOutQueue log = site.bean(FanOutQueue.class);
			Awaitility.await("what waits does not hold the log").atMost(LIMIT.multipliedBy(6)).until(() -> {
				log.trim(Duration.ZERO, 1).block(LIMIT);
				return site.redis().xlen(Keys.LOG) == 1;
			});
			PendingFanOutIndex unfinished = site.bean(PendingFanOutIndex.class);
			unfinished.reset();
			unfinished.prepare().block(LIMIT);
			assertThat(unfinished.postsOf(alice.id())).as("an instance that begins now knows what waits")
				.extracting(Cursor::member)
				.containsExactlyInAnyOrderElementsOf(away);
			lost.resume();
			FanOutWait.settle(site, LEFT_ALONE.plus(LIMIT.multipliedBy(2)));
			assertThat(site.redis().zrange(Keys.postsOf(alice.id()), 0, -1)).containsExactlyInAnyOrderElementsOf(away);
		}
	}

	private static Duration since(long began) {
		return Duration.ofNanos(System.nanoTime() - began);
	}

	/** A user none of whose keys of a timeline is on the lost shard. */
	private static Visitor registeredElsewhere(Site site, ClusterServers cluster, RedisProcess lost) {
		return Stream.generate(() -> Visitor.registered(site))
			.limit(200)
			.filter((visitor) -> Stream
				.of(Keys.user(visitor.id()), Keys.postsOf(visitor.id()), Keys.followers(visitor.id()),
						Keys.following(visitor.id()), Keys.homeTimeline(visitor.id()))
				.noneMatch((key) -> cluster.masterOf(key) == lost))
			.findFirst()
			.orElseThrow();
	}

	private static RedisProcess lost(ClusterServers cluster) {
		return cluster.masters()
			.stream()
			.filter((node) -> node != cluster.masterOf(Keys.LOG))
			.findFirst()
			.orElseThrow();
	}

	private String idOn(ClusterServers cluster, RedisProcess master) {
		return Stream.generate(() -> "%013d".formatted(++this.ids))
			.filter((id) -> cluster.masterOf(Keys.post(id)) == master)
			.findFirst()
			.orElseThrow();
	}

	private static String stored(Site site, Visitor author, String id, String body) {
		site.redis()
			.hset(Keys.post(id),
					Map.of("author", author.id(), "username", author.name(), "created", "1", "body", body));
		return id;
	}

	private static void publish(Site site, Visitor author, String postId) {
		Commits.publish(site, postId, author.id(), postId).block(LIMIT);
	}

}
