package live.retwis.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import live.retwis.doctor.Doctor;
import live.retwis.importing.ArchivedAuthorRestore;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.TestPostgres;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Redis has lost all its data. */
@ExtendWith(RedisExtension.class)
class ArchivedAuthorRestoreTests {

	private static final String NEW_PASSWORD = "New password: ";

	/** Age of a post that has moved, in ms. */
	private static final long OLD = Duration.ofDays(100).toMillis();

	private static List<String> restored(Site site) {
		return site.bean(ArchivedAuthorRestore.class)
			.run()
			.collectList()
			.blockOptional(ArchiveScene.BOUND)
			.orElseThrow();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anEmptyRedisDoesNotOpenTheFileOfASiteAndTheCommandBringsItsAuthorsBack(@OwnRedis TestRedis redis,
			@OwnRedis TestRedis empty, @TempDir Path directory) {
		bringsAuthorsBack(redis, empty, "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	@EnabledIf("isPostgresPossible")
	void anEmptyRedisDoesNotOpenTheDatabaseOfASiteAndTheCommandBringsItsAuthorsBack(@OwnRedis TestRedis redis,
			@OwnRedis TestRedis empty) {
		try (TestPostgres database = TestPostgres.start()) {
			bringsAuthorsBack(redis, empty, database.settings().toArray(String[]::new));
		}
	}

	static boolean isPostgresPossible() {
		return TestPostgres.isPossible();
	}

	private static void bringsAuthorsBack(TestRedis redis, TestRedis empty, String... archive) {
		String name;
		List<String> posts;
		try (Site site = Site.start(redis, archive)) {
			Visitor author = Visitor.registered(site);
			name = author.name();
			posts = new OldStore(site).plant(author, 30, 100);
			site.bean(ArchiveMover.class).moveAll().block(ArchiveScene.BOUND);
			for (Visitor liker : List.of(author, Visitor.registered(site))) {
				liker.get("/posts/" + posts.get(0));
				assertThat(liker.submit("/posts/" + posts.get(0) + "/like").status()).isEqualTo(303);
			}
			FanOutWait.settle(site);
			site.bean(LikesAndRepliesMover.class).moveAll(Duration.ofHours(-1)).block(ArchiveScene.BOUND);
		}
		assertThatThrownBy(() -> Site.start(empty, archive)).hasMessageContaining("the start failed");
		List<String> lines;
		try (Site restoring = Site.start(empty,
				Stream.concat(Stream.of(archive), Stream.of("--retwis.archive.restore=true")).toArray(String[]::new))) {
			lines = restored(restoring);
			assertThat(restored(restoring).get(0))
				.isEqualTo(name + " is there as " + name + ", with 30 archived posts");
		}
		assertThat(lines.get(0)).startsWith(name + " comes back. New password: ");
		assertThat(lines.get(1)).isEqualTo(name + " is back as " + name + ", with 30 archived posts");
		assertThat(lines.get(2)).isEqualTo("Lists of likes and replies that were looked through: 1");
		assertThat(String.join(" ", lines.subList(3, lines.size()))).contains("lost", "sessions", "mentions",
				"notifications", "reports", "the lists of tags", "the public timeline");
		assertThat(lines).contains("Users who were suspended are active again. Suspend them before they log in.");
		try (Site site = Site.start(empty, archive)) {
			assertThat(Visitor.of(site).get("/@" + name).postIds()).containsExactlyElementsOf(posts.subList(0, 20));
			assertThat(Visitor.of(site).get("/@" + name).body()).contains("<b>30</b> posts<");
			Visitor author = signedIn(site, name, lines.get(0));
			String likes = "/posts/" + posts.get(0) + "/likes";
			assertThat(author.get(likes).body()).contains("/@" + name + "\"", "data-count=\"1\"")
				.doesNotContain("data-count=\"2\"");
			author.get("/posts/" + posts.get(0));
			assertThat(author.submit("/posts/" + posts.get(0) + "/unlike").status()).isEqualTo(303);
			Awaitility.await()
				.atMost(ArchiveScene.BOUND)
				.until(() -> author.get(likes).body().contains("Nobody likes this post yet."));
			String list = Keys.likes(posts.get(0));
			// A list of which only changes are here comes back first.
			Awaitility.await("it moves again").atMost(ArchiveScene.BOUND).until(() -> {
				site.bean(LikesAndRepliesMover.class).moveAll(Duration.ofHours(-1)).block(ArchiveScene.BOUND);
				return site.redis().exists(list, Keys.listInUse(list)) == 0;
			});
			assertThat(site.bean(ArchivedLikesAndRepliesRepository.class)
				.readBack(List.of(list))
				.block(ArchiveScene.BOUND)).isEmpty();
			assertThat(site.bean(Doctor.class).examine(false, true, (progress) -> {
			}).map(Doctor.Line::text).collectList().block(ArchiveScene.BOUND)).singleElement()
				.asString()
				.contains("every rule holds.");
		}
	}

	/** Counts, likes and lists that changed since posts moved would be lost. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aRedisThatHasLostNothingIsNotRestored(@OwnRedis TestRedis redis, @OwnRedis TestRedis empty,
			@TempDir(factory = MemoryDisk.class) Path directory) {
		String archive = "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory);
		String restore = "--retwis.archive.restore=true";
		Site.start(redis, archive).close();
		assertThatThrownBy(() -> Site.start(redis, archive, restore)).hasMessageContaining("the start failed");
		Site.start(empty, archive, restore).close();
		try (Site again = Site.start(empty, archive, restore)) {
			restored(again);
		}
		assertThatThrownBy(() -> Site.start(empty, archive, restore)).hasMessageContaining("the start failed");
		Site.start(empty, archive).close();
	}

	/** The database fails after the accounts are made. */
	@Test
	@Tag("slow")
	@Tag("long")
	@EnabledIf("isPostgresPossible")
	void allPasswordsArePrintedAlthoughTheCommandBreaksOff(@OwnRedis TestRedis redis, @OwnRedis TestRedis empty) {
		try (TestPostgres database = TestPostgres.start()) {
			String[] archive = database.settings().toArray(String[]::new);
			List<String> names;
			try (Site site = Site.start(redis, archive)) {
				OldStore store = new OldStore(site);
				List<Visitor> authors = Stream.generate(() -> Visitor.registered(site)).limit(6).toList();
				authors.forEach((author) -> store.plant(author, 2, 100));
				names = authors.stream().map(Visitor::name).toList();
				site.bean(ArchiveMover.class).moveAll().block(ArchiveScene.BOUND);
			}
			List<String> lines = new CopyOnWriteArrayList<>();
			try (Site restoring = Site.start(empty,
					Stream.concat(Stream.of(archive), Stream.of("--retwis.archive.restore=true"))
						.toArray(String[]::new))) {
				database.sql("alter table lists rename to lists_away");
				assertThatThrownBy(() -> restoring.bean(ArchivedAuthorRestore.class)
					.run()
					.doOnNext(lines::add)
					.blockLast(ArchiveScene.BOUND)).isNotNull();
				database.sql("alter table lists_away rename to lists");
				assertThatThrownBy(() -> Site.start(empty, archive)).as("a restore that has not ended")
					.hasMessageContaining("the start failed");
				String[] away = Stream.of(archive)
					.map((setting) -> setting.replaceFirst("^(--retwis.archive.url=).*",
							"$1r2dbc:postgresql://127.0.0.1:1/x"))
					.toArray(String[]::new);
				assertThatThrownBy(() -> Site.start(empty, away)).as("the same while the archive is away")
					.hasMessageContaining("the start failed");
				assertThatThrownBy(() -> Site.start(empty)).as("the same without an archive")
					.hasMessageContaining("the start failed");
				lines.addAll(restored(restoring));
			}
			try (Site site = Site.start(empty, archive)) {
				for (String name : names) {
					signedIn(site, name,
							lines.stream()
								.filter((line) -> line.startsWith(name + " comes back."))
								.reduce((first, last) -> last)
								.orElseThrow());
					assertThat(Visitor.of(site).get("/@" + name).postIds()).hasSize(2);
				}
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whoRepostsAnOldPostIsKnownAgain(@OwnRedis TestRedis redis, @OwnRedis TestRedis empty,
			@TempDir Path directory) {
		String archive = "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory);
		String post;
		String friend;
		try (Site site = Site.start(redis, archive)) {
			OldStore store = new OldStore(site);
			post = store.plant(Visitor.registered(site), 1, 200).get(0);
			Visitor reposter = Visitor.registered(site);
			friend = reposter.name();
			String repost = store.plant(reposter, new Cursor(System.currentTimeMillis() - OLD, "0ZREPOST00001"),
					Map.of("repost_of", post, "body", ""));
			site.redis().hset(Keys.reposts(post), Map.of(reposter.id(), repost, "somebody else", "lost"));
			site.redis().hset(Keys.post(post), "reposts", "2");
			site.bean(ArchiveMover.class).moveAll().block(ArchiveScene.BOUND);
			assertThat(site.keys("post:*")).isEmpty();
		}
		List<String> lines;
		try (Site restoring = Site.start(empty, archive, "--retwis.archive.restore=true")) {
			lines = restored(restoring);
			assertThat(restored(restoring)).as("again").contains("Reposts that were looked through: 1");
		}
		try (Site site = Site.start(empty, archive)) {
			assertThat(Visitor.of(site).get("/posts/" + post).body())
				.contains("/posts/" + post + "/repost\" data-count=\"1\"");
			Visitor reposter = signedIn(site, friend,
					lines.stream()
						.filter((line) -> line.startsWith(friend + " comes back."))
						.findFirst()
						.orElseThrow());
			reposter.get("/posts/" + post);
			assertThat(reposter.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
			FanOutWait.settle(site);
			assertThat(site.redis().hgetall(Keys.reposts(post))).as("no second repost")
				.containsExactly(Map.entry(reposter.id(), "0ZREPOST00001"));
			assertThat(site.keys("post:*")).isEmpty();
		}
	}

	/**
	 * Logs in with a new password.
	 * @param line the line that has it
	 */
	private static Visitor signedIn(Site site, String name, String line) {
		Visitor visitor = Visitor.of(site);
		visitor.get("/login");
		String password = line.substring(line.indexOf(NEW_PASSWORD) + NEW_PASSWORD.length());
		assertThat(visitor.signIn(name, password).status()).isEqualTo(303);
		return visitor;
	}

}
