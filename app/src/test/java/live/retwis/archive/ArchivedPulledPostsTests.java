package live.retwis.archive;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Old posts of an author with so many followers that readers pull them. */
@ExtendWith(RedisExtension.class)
class ArchivedPulledPostsTests {

	private static final int KEPT = 5;

	private static List<String> home(Visitor reader) {
		List<String> all = new ArrayList<>();
		for (String page = "/home"; !page.isEmpty();) {
			Answer answer = reader.get(page);
			all.addAll(answer.postIds());
			page = answer.older();
			assertThat(all).hasSizeLessThan(100);
		}
		return all;
	}

	@Test
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
			assertThat(home(reader)).isEqualTo(posts);
			assertThat(site.redis().zcard(Keys.pulledOf(big.id()))).isEqualTo(20);
			site.bean(ArchiveMover.class).moveAll().block(ArchiveContract.BOUND);
			assertThat(Stream.of(site.redis().zrange(Keys.pulledOf(big.id()), 0, -1))
				.flatMap(List::stream)
				.filter((member) -> !ArchiveMarkers.isMarker(member))).hasSize(KEPT);
			assertThat(home(reader)).isEqualTo(posts);
			try (Site other = Site.start(redis, settings)) {
				assertThat(home(reader.sentTo(other.url("")))).isEqualTo(posts);
			}
		}
	}

}
