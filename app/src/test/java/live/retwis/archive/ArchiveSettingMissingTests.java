package live.retwis.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.PostRepository;
import live.retwis.reaction.ReactionWriter;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an instance without the setting does to archived posts is not lost. */
@ExtendWith(RedisExtension.class)
@Tag("slow")
class ArchiveSettingMissingTests {

	private static final Duration BOUND = ArchiveScene.BOUND;

	private static Site site;

	private static Site unset;

	private final OldStore store = new OldStore(site());

	private final Visitor author = Visitor.registered(site());

	@BeforeAll
	static void start(@OwnRedis TestRedis redis, @TempDir(factory = MemoryDisk.class) Path directory) {
		site = Site.start(redis, "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory),
				"--retwis.archive.every=1h");
		unset = Site.start(redis, "--retwis.fan-out.worker=false");
	}

	@AfterAll
	static void stop() {
		unset.close();
		site.close();
	}

	private static Site site() {
		return site;
	}

	@Test
	void theArchiveHearsOfADeletedPostThatItMayHave() {
		String old = this.store.plant(this.author, 1, 1).get(0);
		String young = this.store.plant(this.author, new Cursor(System.currentTimeMillis(), "0V" + old.substring(2)),
				Map.of());
		String unknown = "0U" + old.substring(2);
		List.of(old, young).forEach((post) -> site.redis().hset(Keys.post(post), "deleted", "by a test"));
		site.redis().set(Keys.post(unknown), "what?");
		List.of(old, young, unknown).forEach(ArchiveSettingMissingTests::forget);
		assertThat(site.redis().zrange(Keys.ARCHIVE_DELETED, 0, -1)).contains(old, unknown).doesNotContain(young);
		assertThat(site.redis().hget(Keys.post(old), "archived")).isEqualTo("1");
	}

	private static void forget(String post) {
		unset.bean(PostRepository.class).forget(post, Duration.ofDays(1)).block(BOUND);
	}

	@Test
	void theCountsOfAnArchivedPostAreCountedLater() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
		assertThat(unset.bean(PostArchive.class).setCount(old, "likes", 1).block(BOUND)).isNull();
		assertThat(site.redis().zscore(Keys.ARCHIVE_COUNTS, old)).isNotNull();
	}

	@Test
	void aLikeLeavesAListThatIsInTheArchive() {
		Visitor liker = Visitor.registered(site);
		String old = likedAndMoved(liker);
		assertThat(unset.bean(LikesAndRepliesArchive.class).remove(Keys.likes(old), liker.id()).block(BOUND)).isTrue();
		assertThat(Visitor.of(site).get("/posts/" + old + "/likes").body()).doesNotContain("@" + liker.name());
	}

	@Test
	void aLikeThatWasTakenBackAndMayCountIsLookedAtAgain() {
		Visitor liker = Visitor.registered(site);
		String old = likedAndMoved(liker);
		site.redis().zrem(Keys.liked(liker.id()), old);
		assertThatThrownBy(() -> recheckLike(unset, liker, old)).isInstanceOf(ArchiveAwayException.class);
		recheckLike(site, liker, old);
		Awaitility.await().atMost(BOUND).until(() -> isListed(liker, old), (listed) -> !listed);
	}

	private void recheckLike(Site at, Visitor liker, String post) {
		at.bean(ReactionWriter.class).recheckLike(liker.id(), post, this.author.id()).block(BOUND);
	}

	/** A post whose one like only the archive has. */
	private String likedAndMoved(Visitor liker) {
		String old = this.store.plant(this.author, 1, 200).get(0);
		liker.submit("/posts/" + old + "/like");
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> site.redis().hget(Keys.post(old), "likes"), (count) -> "1".equals(count));
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
		Awaitility.await().atMost(BOUND).until(() -> {
			site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return site.redis().exists(Keys.likes(old), Keys.listInUse(Keys.likes(old))) == 0;
		});
		return old;
	}

	private static boolean isListed(Visitor liker, String post) {
		return Visitor.of(site).get("/posts/" + post + "/likes").body().contains("@" + liker.name());
	}

}
