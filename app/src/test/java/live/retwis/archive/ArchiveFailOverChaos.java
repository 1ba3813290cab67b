package live.retwis.archive;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.ReplicatedServers;
import live.retwis.testing.SeamReaders;
import live.retwis.testing.SentinelServers;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Posts move to the archive from a Redis Cluster of three masters, and from a master that
 * sentinels watch. In the middle of the move a master is killed, and a replica replaces
 * it. Every post is on one page, at every moment.
 */
@Timeout(400)
@EnabledIf("isInstalled")
class ArchiveFailOverChaos {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final int AUTHORS = 6;

	private static final int POSTS = 500;

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@Test
	void nothingIsMissingOrTwiceWhenAMasterOfAClusterIsReplacedWhilePostsMove() {
		try (ClusterServers servers = ClusterServers.start()) {
			assertThat(servers.masters()).hasSize(3);
			moveThroughAFailOver(servers);
		}
	}

	@Test
	void nothingIsMissingOrTwiceWhenSentinelsReplaceTheMasterWhilePostsMove() {
		try (SentinelServers servers = SentinelServers.start()) {
			moveThroughAFailOver(servers);
		}
	}

	private static String[] settings(PostgresServer database, String... more) {
		return Stream
			.of(Stream.of(PostgresArchiveTests.settings(database)), Stream.of("--retwis.locks.lease=1s"),
					Stream.of(more))
			.flatMap(Function.identity())
			.toArray(String[]::new);
	}

	private static void moveThroughAFailOver(ReplicatedServers servers) {
		try (PostgresServer database = PostgresServer.start();
				Site site = Site.startOn(servers.settings(), settings(database));
				SeamReaders readers = SeamReaders.ofRedisAndArchive()) {
			Map<Visitor, List<String>> posts = plant(servers, site);
			servers.awaitWhole();
			posts.forEach((author, all) -> readers.read(Visitor.of(site), "/@" + author.name(), all));
			CompletableFuture<Void> moving = site.bean(ArchiveMover.class).moveAll().toFuture();
			Awaitility.await("some posts have moved")
				.atMost(BOUND)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> archived(database) > POSTS);
			RedisProcess dead = servers.masterOf(Keys.postsOf(posts.keySet().iterator().next().id()));
			dead.kill();
			assertThat(archived(database)).as("posts that had moved").isLessThan(AUTHORS * POSTS);
			servers.awaitFailOver(dead);
			moving.exceptionally((lost) -> null).join();
			Awaitility.await("all posts move").atMost(BOUND).ignoreExceptions().until(() -> {
				site.bean(ArchiveMover.class).moveAll().block(BOUND);
				return posts.keySet()
					.stream()
					.allMatch((author) -> new OldStore(servers.commands()).listed(author).isEmpty());
			});
			FanOutWait.settle(site, BOUND);
			readers.assertWhole();
			assertThat(archived(database)).isEqualTo(AUTHORS * POSTS);
			posts.forEach((author, all) -> assertWhole(site, author, all));
			moveLists(servers, site, posts);
			posts.forEach((author, all) -> assertWhole(site, author, all));
			assertThat(SiteProcess.doctor(servers.settings(),
					settings(database, "--wait", LockServers.shared().setting())))
				.contains("every rule holds");
		}
	}

	/** Old posts of some authors. The newest of each has a like. */
	private static Map<Visitor, List<String>> plant(ReplicatedServers servers, Site site) {
		OldStore store = new OldStore(servers.commands());
		Map<Visitor, List<String>> posts = new HashMap<>();
		Visitor liker = Visitor.registered(site);
		for (int i = 0; i < AUTHORS; i++) {
			Visitor author = Visitor.registered(site);
			posts.put(author, store.plant(author, POSTS, 100));
			assertThat(liker.submit("/posts/" + posts.get(author).get(0) + "/like").status()).isEqualTo(303);
		}
		FanOutWait.settle(site);
		return posts;
	}

	private static int archived(PostgresServer database) {
		return Integer.parseInt(database.sql("select count(*) from posts").get(0));
	}

	private static void moveLists(ReplicatedServers servers, Site site, Map<Visitor, List<String>> posts) {
		Awaitility.await("the likes move").atMost(BOUND).until(() -> {
			site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return posts.values().stream().allMatch((all) -> servers.commands().exists(Keys.likes(all.get(0))) == 0);
		});
	}

	private static void assertWhole(Site site, Visitor author, List<String> posts) {
		Visitor reader = Visitor.of(site);
		String profile = "/@" + author.name();
		assertThat(AllPages.idsOf(reader, profile)).isEqualTo(posts);
		assertThat(reader.get(profile).body()).contains("<b>" + POSTS + "</b> posts<");
		assertThat(reader.get("/posts/" + posts.get(0)).body())
			.contains("/posts/" + posts.get(0) + "/like\" data-count=\"1\"");
	}

}
