package live.retwis.archive;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Backups of Redis and of the archive are taken and restored with the commands that
 * operators use, into servers that have nothing. Then the doctor looks at both.
 */
@Tag("slow")
@Timeout(400)
@EnabledIf("isInstalled")
class ArchiveBackupTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static final String SOUND = "every rule holds";

	private static final int ARCHIVED = 30;

	/**
	 * Posts of each author. The newest 50 stay in Redis until they come of age, or until
	 * newer ones are written.
	 */
	private static final int COMING_OF_AGE = 120;

	private static final Duration APART = Duration.ofMillis(750);

	private static final Logger log = LoggerFactory.getLogger(ArchiveBackupTests.class);

	private final Path directory;

	private final PostgresServer database = PostgresServer.start();

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);

	private final Site site = site(this.redis, this.database);

	private final OldStore store = new OldStore(this.site);

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site);

	/** The author's archived posts, the newest first. The first one has lists. */
	private final List<String> old = this.store.plant(this.author, ARCHIVED, 200);

	ArchiveBackupTests(@TempDir Path directory) {
		this.directory = directory;
		this.author.post("a young one with a #tag");
		assertThat(this.reader.submit("/posts/" + this.old.get(0) + "/like").status()).isEqualTo(303);
		assertThat(this.reader.submit("/posts/" + this.old.get(1) + "/repost").status()).isEqualTo(303);
		assertThat(this.reader.postJson("body", "an early reply", "reply_to", this.old.get(0)).status()).isEqualTo(201);
		FanOutWait.settle(this.site);
		move(this.site);
		Awaitility.await("the lists move").atMost(BOUND).until(() -> {
			this.site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return this.site.redis().exists(Keys.likes(this.old.get(0)), Keys.replies(this.old.get(0))) == 0;
		});
	}

	@AfterEach
	void stop() {
		this.site.close();
		this.redis.close();
		this.database.close();
	}

	static boolean isInstalled() {
		return PostgresServer.isInstalled() && Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((programs) -> Files.isExecutable(Path.of(programs, "redis-cli")));
	}

	private static List<String> data(RedisProcess redis) {
		return SharedData.settings("127.0.0.1", redis.port());
	}

	private static String[] settings(PostgresServer database, String... more) {
		return Stream
			.of(Stream.of(PostgresArchiveTests.settings(database)), Stream.of("--retwis.locks.lease=1s"),
					Stream.of(more))
			.flatMap(Function.identity())
			.toArray(String[]::new);
	}

	private static Site site(RedisProcess redis, PostgresServer database) {
		return Site.startOn(data(redis), settings(database));
	}

	private static void move(Site site) {
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
	}

	private Path backUpRedis() {
		Path file = this.directory.resolve("retwis.rdb");
		try {
			Process process = new ProcessBuilder("redis-cli", "-h", "127.0.0.1", "-p",
					Integer.toString(this.redis.port()), "--rdb", file.toString())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).isZero();
			return file;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** Redis writes its append-only file from the backup, and starts with it. */
	private RedisProcess restoreRedis(Path backup) {
		Path data = this.directory.resolve("restored");
		try {
			Files.copy(backup, Files.createDirectories(data).resolve("dump.rdb"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		RedisProcessOptions options = RedisProcessOptions.DEFAULT.withDirectory(data);
		try (RedisProcess loading = RedisProcess.start(options.with("appendonly no"))) {
			NodeConnections.ask(loading, (commands) -> commands.configSet("appendonly", "yes"));
			Awaitility.await("the append-only file")
				.atMost(BOUND)
				.until(() -> NodeConnections.ask(loading, (commands) -> commands.info("persistence")),
						(told) -> told.contains("aof_rewrite_in_progress:0")
								&& told.contains("aof_rewrite_scheduled:0"));
			loading.terminate();
		}
		return RedisProcess.start(options.with("appendonly yes"));
	}

	/** Both sides of a backup, restored. */
	private Restored restore(Path ofRedis, Path ofDatabase) {
		PostgresServer empty = PostgresServer.start();
		empty.restore(ofDatabase);
		return new Restored(restoreRedis(ofRedis), empty);
	}

	@Test
	@Tag("long")
	void theDoctorFindsNothingAfterABackupOfOneMomentWasRestored() {
		List<String> before = AllPages.idsOf(this.reader, "/@" + this.author.name());
		assertThat(before).hasSize(ARCHIVED + 1);
		try (Restored restored = restore(backUpRedis(), this.database.dump())) {
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(this.author, before);
			try (Site again = site(restored.redis(), restored.database())) {
				Visitor stranger = Visitor.of(again);
				assertThat(stranger.get("/posts/" + this.old.get(0)).body()).contains("an early reply");
				assertThat(stranger.get("/posts/" + this.old.get(0) + "/likes").body())
					.contains("@" + this.reader.name());
				move(again);
			}
			assertThat(restored.doctor()).contains(SOUND);
		}
	}

	@Test
	@Tag("long")
	void postsThatMovedAfterTheBackupOfRedisAreInBothAndTheDoctorMendsThat() {
		List<String> moved = this.store.plant(this.author, 3, 100);
		List<String> all = AllPages.idsOf(this.reader, "/@" + this.author.name());
		Path ofRedis = backUpRedis();
		move(this.site);
		try (Restored restored = restore(ofRedis, this.database.dump())) {
			String told = restored.doctor();
			assertThat(moved).allSatisfy((post) -> assertThat(told)
				.contains("has post " + post + ", which Redis has without the field archived; --fix sets the field"));
			assertThat(told).contains(" 3 violations");
			restored.doctor("--fix");
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(this.author, all);
			try (Site again = site(restored.redis(), restored.database())) {
				move(again);
				assertThat(new OldStore(again).inRedis(moved)).isEmpty();
			}
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(this.author, all);
		}
	}

	@Test
	@Tag("long")
	void aPostThatWasDeletedAfterTheBackupOfRedisStaysDeletedAndTheDoctorSetsTheNumber() {
		Path ofRedis = backUpRedis();
		assertThat(this.author.submit("/posts/" + this.old.get(4) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		this.site.bean(ArchiveReconciler.class).sweep(Long.MAX_VALUE).block(BOUND);
		List<String> left = AllPages.idsOf(this.reader, "/@" + this.author.name());
		assertThat(left).hasSize(ARCHIVED).doesNotContain(this.old.get(4));
		try (Restored restored = restore(ofRedis, this.database.dump())) {
			assertThat(restored.doctor())
				.contains("has 29 posts, but " + Keys.postsOf(this.author.id()) + " says 30; --fix sets the number");
			restored.doctor("--fix");
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(this.author, left);
		}
	}

	@Test
	@Tag("long")
	void aBackupOfRedisOfAnEarlierDayDoesNotLeadToThePostsOfTheArchiveUntilTheDoctorMendsIt() {
		Visitor another = Visitor.registered(this.site);
		FanOutWait.settle(this.site);
		Path ofRedis = backUpRedis();
		List<String> posts = this.store.plant(another, 25, 100);
		move(this.site);
		try (Restored restored = restore(ofRedis, this.database.dump())) {
			assertThat(restored.doctor()).contains(
					"has posts to which " + Keys.postsOf(another.id()) + " does not lead; --fix lets it lead there");
			restored.doctor("--fix");
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(another, posts);
		}
	}

	/**
	 * Posts are written, liked, answered and deleted, and others come of age and move,
	 * during both parts of the backup. {@code -Dchaos.seed} repeats what the users do.
	 */
	@Test
	@Tag("long")
	void aBackupThatWasTakenWhileTheSiteWasBusyHasEveryPostOnceAndNoneThatWasDeleted() {
		long seed = Long.getLong("chaos.seed", System.nanoTime());
		log.info("-Dchaos.seed={}", seed);
		List<Visitor> authors = List.of(this.author, this.reader, Visitor.registered(this.site));
		authors.subList(1, authors.size()).forEach((other) -> {
			other.follow(this.author);
			this.author.follow(other);
		});
		Map<String, RandomWriters.Written> kept;
		Set<String> gone;
		Path ofRedis;
		Path ofDatabase;
		try (RandomWriters writers = new RandomWriters(seed)) {
			writers.know(this.author, this.old);
			authors.forEach((author) -> {
				writers.know(author, this.store.plantComingOfAge(author, COMING_OF_AGE, APART));
				writers.begin(author);
			});
			writers.repeat(() -> move(this.site));
			awaitMoved(5);
			Awaitility.await("posts are deleted").atMost(BOUND).until(() -> writers.deleted().size() > 5);
			kept = new HashMap<>(writers.written());
			gone = writers.deleted();
			ofRedis = backUpRedis();
			awaitMoved(1);
			ofDatabase = this.database.dump();
			kept.keySet().removeAll(writers.leaving());
			awaitMoved(1);
		}
		try (Restored restored = restore(ofRedis, ofDatabase);
				Site again = site(restored.redis(), restored.database())) {
			restored.repair();
			assertHas(again, authors, kept, gone);
			move(again);
			restored.repair();
			assertHas(again, authors, kept, gone);
		}
	}

	/** Waits until more posts are in the archive. */
	private void awaitMoved(int more) {
		int before = moved();
		Awaitility.await("posts move").atMost(BOUND).until(() -> moved() >= before + more);
	}

	private int moved() {
		return Integer.parseInt(this.database.sql("select count(*) from posts").get(0));
	}

	/** Each post has its page, and is on its author's profile once. */
	private static void assertHas(Site site, List<Visitor> authors, Map<String, RandomWriters.Written> kept,
			Set<String> gone) {
		Visitor stranger = Visitor.of(site);
		for (Visitor author : authors) {
			List<String> profile = AllPages.idsOf(stranger, "/@" + author.name());
			assertThat(profile).doesNotHaveDuplicates().doesNotContainAnyElementsOf(gone);
			kept.forEach((post, written) -> {
				if (written.author().equals(author)) {
					assertThat(profile).contains(post);
					Answer page = stranger.get("/posts/" + post);
					assertThat(page.status()).as(post).isEqualTo(200);
					assertThat(page.body()).contains(written.text());
				}
			});
		}
		assertThat(gone).allSatisfy((post) -> assertThat(stranger.get("/posts/" + post).status()).isEqualTo(404));
	}

	/** The order that operators are told not to take. */
	@Test
	@Tag("long")
	void postsThatMovedAfterTheBackupOfTheArchiveAreLostAndTheDoctorSaysHowMany() {
		Visitor another = Visitor.registered(this.site);
		List<String> left = AllPages.idsOf(this.reader, "/@" + this.author.name());
		Path ofDatabase = this.database.dump();
		this.store.plant(this.author, 3, 100);
		this.store.plant(another, 2, 100);
		move(this.site);
		try (Restored restored = restore(backUpRedis(), ofDatabase)) {
			assertThat(restored.doctor())
				.contains("has 30 posts, but " + Keys.postsOf(this.author.id()) + " says 33; --fix sets the number")
				.contains(Keys.postsOf(another.id())
						+ ": says that 2 posts are in the archive, which has none; --fix removes that");
			restored.doctor("--fix");
			assertThat(restored.doctor()).contains(SOUND);
			restored.assertShows(this.author, left);
			restored.assertShows(another, List.of());
		}
	}

	/** Servers to which a backup was restored. */
	private record Restored(RedisProcess redis, PostgresServer database) implements AutoCloseable {

		/** What the doctor says. */
		String doctor(String... options) {
			try {
				return SiteProcess.doctor(data(this.redis),
						settings(this.database,
								Stream.concat(Stream.of("--wait", LockServers.shared().setting()), Stream.of(options))
									.toArray(String[]::new)));
			}
			catch (IllegalStateException found) {
				return String.valueOf(found.getMessage());
			}
		}

		/** The doctor repairs what it finds until it finds nothing more. */
		void repair() {
			Awaitility.await("the doctor finds nothing more")
				.atMost(BOUND.multipliedBy(5))
				.untilAsserted(() -> assertThat(doctor("--fix")).contains(SOUND).doesNotContain("The doctor ended"));
		}

		/** All pages of a profile, the newest post first. */
		void assertShows(Visitor author, List<String> posts) {
			try (Site site = site(this.redis, this.database)) {
				String profile = "/@" + author.name();
				assertThat(AllPages.idsOf(Visitor.of(site), profile)).isEqualTo(posts);
				assertThat(Visitor.of(site).get(profile).body()).contains("<b>" + posts.size() + "</b> posts<");
			}
		}

		@Override
		public void close() {
			this.redis.close();
			this.database.close();
		}

	}

}
