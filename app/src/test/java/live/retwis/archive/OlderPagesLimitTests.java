package live.retwis.archive;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** An older page may ask the archive, so an address gets only so many. */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class OlderPagesLimitTests {

	private static final List<String> LIMITS = List.of("--retwis.limits.enabled=true", "--retwis.limits.timeout=20s",
			"--retwis.limits.older-pages=2/1h", "--retwis.limits.posts=100/1h");

	private final String tag = "t" + UUID.randomUUID().toString().substring(0, 8);

	/** The first page of a profile and of a tag. Both have an older page. */
	private List<String> pages(Site site) {
		Visitor author = Visitor.registered(site);
		IntStream.range(0, 21).forEach((i) -> author.post("#" + this.tag));
		FanOutWait.settle(site);
		return List.of("/@" + author.name(), "/tags/" + this.tag);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void olderPagesOfProfilesAndTagsAreCountedTogetherWhereThereIsAnArchive(@OwnRedis TestRedis redis,
			@TempDir(factory = MemoryDisk.class) Path directory) {
		List<String> settings = Stream
			.concat(LIMITS.stream(),
					Stream.of("--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory), "--retwis.archive.every=1h"))
			.toList();
		try (Site site = Site.start(redis, settings.toArray(String[]::new))) {
			Visitor reader = Visitor.of(site);
			List<String> pages = pages(site);
			List<String> older = pages.stream().map((page) -> reader.get(page).older()).toList();
			assertThat(older).extracting((page) -> reader.get(page).status()).containsExactly(200, 200);
			assertThat(older).extracting((page) -> reader.get(page).status()).containsExactly(429, 429);
			assertThat(older).extracting((page) -> reader.getJson(page).status()).containsExactly(429, 429);
			assertThat(pages).extracting((page) -> reader.get(page).status()).containsExactly(200, 200);
		}
	}

	@Test
	@Tag("slow")
	void olderPagesOfProfilesAndTagsAreNotCountedWithoutAnArchive(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, LIMITS.toArray(String[]::new))) {
			Visitor reader = Visitor.of(site);
			for (String page : pages(site)) {
				String older = reader.get(page).older();
				assertThat(IntStream.range(0, 3).mapToObj((i) -> reader.get(older).status())).containsOnly(200);
			}
		}
	}

}
