package live.retwis.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Old posts of an author with so many followers that readers pull them. */
@ExtendWith(RedisExtension.class)
@Tag("slow")
class ArchivedPulledPostsTests {

	private static final int KEPT = 5;

	/** Only posts that are old enough move. */
	private static final long AGE = ArchiveProperties.YOUNGEST.multipliedBy(5).toMillis();

	@Test
	@Tag("slow")
	@Tag("long")
	void homePagesGoOnIntoTheArchiveAndEachPostIsThereOnce(@OwnRedis TestRedis redis,
			@TempDir(factory = MemoryDisk.class) Path directory) {
		String[] settings = { "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory), "--retwis.archive.every=1h",
				"--retwis.timeline.own-size=" + KEPT, "--retwis.timeline.push-limit=1" };
		try (Site site = Site.start(redis, settings)) {
			Visitor big = Visitor.registered(site);
			Visitor small = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			Stream.of(reader, Visitor.registered(site)).forEach((follower) -> follower.follow(big));
			reader.follow(small);
			List<String> posts = new ArrayList<>();
			for (int i = 0; i < 30; i++) {
				posts.add(0, ((i % 3 == 0) ? small : big).post("post " + i));
			}
			FanOutWait.settle(site);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> site.bean(PendingFanOutIndex.class).authors() == 0);
			posts.forEach((id) -> site.redis().hincrby(Keys.post(id), "created", -AGE));
			Stream
				.of(Keys.postsOf(big.id()), Keys.pulledOf(big.id()), Keys.postsOf(small.id()),
						Keys.homeTimeline(reader.id()))
				.forEach((list) -> makeOld(site, list));
			assertThat(AllPages.idsOf(reader, "/home")).isEqualTo(posts);
			assertThat(listed(site, Keys.pulledOf(big.id()))).hasSize(20);
			site.bean(ArchiveMover.class).moveAll().block(ArchiveContract.BOUND);
			assertThat(listed(site, Keys.pulledOf(big.id()))).hasSize(KEPT);
			assertThat(AllPages.idsOf(reader, "/home")).isEqualTo(posts);
			try (Site other = Site.start(redis, settings)) {
				assertThat(AllPages.idsOf(reader.sentTo(other.url("")), "/home")).isEqualTo(posts);
			}
		}
	}

	private static void makeOld(Site site, String list) {
		listed(site, list).forEach((id) -> site.redis().zincrby(list, -AGE, id));
	}

	private static List<String> listed(Site site, String list) {
		return site.redis().zrange(list, 0, -1).stream().filter((id) -> !ArchiveMarkers.isMarker(id)).toList();
	}

}
