package live.retwis.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.node.SettableNodeClock;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.SeamReaders;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Posts move to the archive while instances, Redis or the database fail, while two
 * instances move the same posts, while posts are liked and deleted, and while clocks
 * step. Readers go through all pages meanwhile. Every post is on one page, and none that
 * was deleted.
 */
@Timeout(900)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class ArchiveChaos {

	private static final Duration BOUND = Duration.ofSeconds(60);

	/** More steps than a move of a few posts has. */
	private static final int MOST = 40;

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	private static void move(Site site) {
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
	}

	/** How many posts the archive has. */
	private static String posts(PostgresServer database) {
		return database.sql("select count(*) from posts").get(0);
	}

	/**
	 * An instance is killed at each of the commands by which a move changes Redis: before
	 * the command, which arrives later, or after it was done.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void everyPostIsThereAfterAnInstanceWasKilledWhileItMovedThem(boolean replied, @OwnRedis TestRedis redis) {
		try (PostgresServer database = PostgresServer.start();
				Site survivor = Site.start(redis, PostgresArchiveTests.settings(database))) {
			assertThat(killAtEachStep(redis, database, survivor, (way, posts, number) -> {
				CommandFailpoint step = way.at(posts::isStep).nth(number);
				Interception held = replied ? step.holdReply() : step.holdCommand();
				return new Hold(() -> held.met() > 0, held);
			})).isGreaterThan(12);
		}
	}

	/**
	 * An instance is killed at each of the statements by which a move changes the
	 * archive. The database does the statement later.
	 */
	@Test
	void everyPostIsThereAfterAnInstanceWasKilledBetweenItsStatements(@OwnRedis TestRedis redis) {
		try (PostgresServer database = PostgresServer.start();
				Site survivor = Site.start(redis, PostgresArchiveTests.settings(database))) {
			HeldStatement.prepare(database);
			assertThat(killAtEachStep(redis, database, survivor, (way, posts, number) -> {
				HeldStatement held = HeldStatement.nth(database, number);
				return new Hold(held::isMet, held);
			})).isGreaterThan(4);
		}
	}

	/**
	 * Kills an instance at each step of a move. Readers go on at another one, which then
	 * moves the posts.
	 * @return how many steps there were
	 */
	private static int killAtEachStep(TestRedis redis, PostgresServer database, Site survivor, Steps steps) {
		// It would take the turn before the other instance is up, and that one write the
		// tags of all posts beside the move.
		survivor.bean(ArchiveSearchIndexer.class).stop();
		survivor.redis().set(Keys.ARCHIVE_INDEXED, Long.toString(Long.MAX_VALUE));
		Visitor fan = Visitor.registered(survivor);
		Visitor other = Visitor.registered(survivor);
		for (int number = 1; number <= MOST; number++) {
			PopularOldPosts posts = new PopularOldPosts(survivor, fan, other);
			survivor.redis().del(Keys.ARCHIVE_MOVER);
			boolean met;
			try (FaultProxy way = redis.proxy(); SeamReaders readers = SeamReaders.ofArchive()) {
				readers.read(Visitor.of(survivor), posts.profile(), posts.onProfile());
				Hold hold = steps.hold(way, posts, number);
				try (SiteProcess victim = SiteProcess.launch(SharedData.settings("127.0.0.1", way.port()),
						Stream
							.concat(database.settings().stream(),
									Stream.of("--retwis.archive.every=1s", LockServers.shared().setting()))
							.toArray(String[]::new))) {
					Awaitility.await("step " + number + ", or the end of the move")
						.atMost(BOUND.plus(BOUND))
						.pollInterval(Duration.ofMillis(200))
						.until(() -> hold.isMet().getAsBoolean() || posts.areMoved());
					met = hold.isMet().getAsBoolean();
					victim.kill();
				}
				readers.awaitReadings(1);
				posts.assertShown();
				hold.handle().close();
				posts.assertShown();
				posts.move();
				readers.assertWhole();
			}
			posts.moveLists();
			if (!met) {
				return number - 1;
			}
		}
		throw new AssertionError("A move has more than " + MOST + " steps");
	}

	/**
	 * Two instances move at once while readers go on, and posts are liked and deleted.
	 */
	@Test
	void readersMissNothingWhileTwoInstancesMoveTheSamePosts(@OwnRedis TestRedis redis) throws Exception {
		try (PostgresServer database = PostgresServer.start();
				Site one = Site.start(redis, PostgresArchiveTests.settings(database));
				Site two = Site.start(redis, PostgresArchiveTests.settings(database));
				SeamReaders readers = SeamReaders.ofArchive()) {
			OldStore store = new OldStore(one);
			List<Visitor> authors = IntStream.range(0, 4).mapToObj((i) -> Visitor.registered(one)).toList();
			List<List<String>> posts = authors.stream().map((author) -> store.plant(author, 120, 60)).toList();
			Visitor leaver = Visitor.registered(one);
			String leaverId = leaver.id();
			List<String> left = store.plant(leaver, 300, 60);
			Visitor follower = Visitor.registered(one);
			authors.forEach(follower::follow);
			follower.follow(leaver);
			FanOutWait.settle(one);
			Set<String> liked = new HashSet<>();
			List<String> home = AllPages.idsOf(follower, "/home");
			assertThat(home).hasSize(780);
			for (int i = 0; i < 4; i++) {
				readers.read(Visitor.of((i % 2 == 0) ? one : two), "/@" + authors.get(i).name(), posts.get(i));
			}
			for (Site site : List.of(one, two)) {
				readers.read(follower.sentTo(site.url("")), "/home", home);
			}
			CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> {
				for (int i = 119; i >= 0; i--) {
					if (i == 100) {
						leaver.get("/settings");
						readers.delete(left,
								() -> assertThat(
										leaver.submit("/settings/delete", "password", Visitor.PASSWORD).status())
									.isEqualTo(303));
					}
					if (i % 6 == 0) {
						one.redis().del(Keys.homeTimeline(follower.id()), Keys.homeCompleteFrom(follower.id()));
					}
					for (int a = 0; a < authors.size(); a++) {
						String post = posts.get(a).get(i);
						Visitor author = authors.get(a);
						if (i % 10 == 7) {
							readers.delete(author, post);
						}
						else if (i % 10 == 3) {
							assertThat(follower.submit("/posts/" + post + "/like").status()).isEqualTo(303);
							liked.add(post);
						}
					}
				}
			});
			List<CompletableFuture<Void>> movers = Stream.of(one, two).map((site) -> CompletableFuture.runAsync(() -> {
				do {
					move(site);
				}
				while (!writers.isDone());
			})).toList();
			writers.get();
			CompletableFuture.allOf(movers.toArray(CompletableFuture[]::new)).get();
			FanOutWait.settle(one);
			readers.assertWhole();
			move(one);
			sweep(one, Long.MAX_VALUE);
			for (int a = 0; a < authors.size(); a++) {
				assertThat(one.redis().zscore(Keys.postsOf(authors.get(a).id()), "#").intValue()
						+ store.listed(authors.get(a)).size())
					.isEqualTo(108);
			}
			assertThat(database.sql("select id from posts")).doesNotContainAnyElementsOf(readers.deleted());
			assertThat(one.redis().exists(Keys.postsOf(leaverId), Keys.pulledOf(leaverId))).isZero();
			assertThat(liked).hasSize(48).allSatisfy((post) -> {
				String page = Visitor.of(two).get("/posts/" + post + "/likes").body();
				assertThat(page).contains("/@" + follower.name() + "\"", "/posts/" + post + "/like\" data-count=\"1\"");
			});
			assertThat(one.redis().xlen(Keys.DEAD_LETTERS)).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void readersMissNothingWhenTheDatabaseFailsInTheMiddleOfALargeMove(ArchiveFault how, @OwnRedis TestRedis redis) {
		moveThrough((archive) -> archive.breakBy(how), redis, SeamReaders.ofArchive());
	}

	@Test
	void readersMissNothingWhenRedisIsKilledInTheMiddleOfALargeMove(
			@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		moveThrough((archive) -> redis.restart(), redis, SeamReaders.ofRedisAndArchive());
	}

	/**
	 * Moves posts of several authors. The fault comes after the first batches, when the
	 * next posts are marked and not yet in the archive.
	 */
	private static void moveThrough(Consumer<BreakableArchive> fault, TestRedis redis, SeamReaders all) {
		try (BreakableArchive archive = BreakableArchive.start(redis);
				FaultProxy way = redis.proxy();
				Site mover = Site.startAt("127.0.0.1", way.port(), PostgresArchiveTests.settings(archive.database()));
				SeamReaders readers = all) {
			Site site = archive.site();
			OldStore store = new OldStore(site);
			Visitor follower = Visitor.registered(site);
			List<Visitor> authors = Stream.generate(() -> Visitor.registered(site)).limit(3).toList();
			authors.forEach((author) -> {
				store.plant(author, 25, 1000);
				follower.follow(author);
			});
			archive.move();
			List<List<String>> old = authors.stream().map((author) -> store.plant(author, 700, 100)).toList();
			authors.forEach((author) -> store.plant(author, 25, 1));
			FanOutWait.settle(site);
			for (Visitor author : authors) {
				List<String> posts = AllPages.idsOf(follower, "/@" + author.name());
				assertThat(posts).hasSize(750);
				readers.read(Visitor.of(site), "/@" + author.name(), posts);
			}
			readers.read(follower.sentTo(site.url("")), "/home", AllPages.idsOf(follower, "/home"));
			// The other instance has the turn.
			site.bean(ArchiveSearchIndexer.class).stop();
			site.bean(ArchiveMover.class).stop();
			site.redis().del(Keys.ARCHIVE_MOVER);
			CompletableFuture<Void> moving;
			String late = old.get(1).get(100);
			try (Interception held = way.at(SentCommand.with(Keys.post(late))).nth(1).holdReply()) {
				moving = mover.bean(ArchiveMover.class).moveAll().toFuture();
				held.awaitMet();
				assertThat(Integer.parseInt(posts(archive.database()))).as("posts that have moved")
					.isBetween(500, 2000);
				for (int i = 0; i < authors.size(); i++) {
					readers.delete(authors.get(i), old.get(i).get(10));
					readers.delete(authors.get(i), old.get(i).get(600));
				}
				readers.delete(authors.get(1), late);
				fault.accept(archive);
			}
			readers.awaitAnswers(30);
			archive.mend();
			moving.exceptionally((broken) -> null).join();
			Awaitility.await("all posts move").atMost(BOUND).ignoreExceptions().until(() -> {
				move(mover);
				return authors.stream().allMatch((author) -> store.listed(author).size() == 25);
			});
			readers.assertWhole();
			FanOutWait.settle(site);
			sweep(site, Long.MAX_VALUE);
			assertThat(archive.database().sql("select id from posts")).hasSize(3 * 725 - 7)
				.doesNotContainAnyElementsOf(readers.deleted());
			authors.forEach((author) -> assertThat(Visitor.of(site).get("/@" + author.name()).body())
				.contains((author == authors.get(1)) ? "<b>747</b> posts<" : "<b>748</b> posts<"));
			assertThat(site.redis().xlen(Keys.DEAD_LETTERS)).isZero();
		}
	}

	/**
	 * A clock steps forward and back while posts move and are deleted: that of Redis, by
	 * which all instances go, that of the database, by which it refuses late writes, or
	 * that of the instance that moves them. Needs a C compiler named {@code cc}.
	 */
	@ParameterizedTest
	@CsvSource({ "redis, PT24H", "database, PT1H", "instance, PT1H" })
	void nothingIsLostAndNothingComesBackWhenAClockStepsWhilePostsMove(String whose, Duration step,
			@TempDir Path directory) throws IOException {
		// The database runs as another user.
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		SettableNodeClock ofRedis = SettableNodeClock.create(directory, 1);
		SettableNodeClock ofDatabase = SettableNodeClock.create(directory, 2);
		SettableNodeClock ofInstance = SettableNodeClock.create(directory, 3);
		SettableNodeClock clock = switch (whose) {
			case "redis" -> ofRedis;
			case "database" -> ofDatabase;
			default -> ofInstance;
		};
		try (RedisProcess redis = RedisProcess
			.start(new RedisProcessOptions(TestPorts.next(), null, List.of(), ofRedis.environment(), false, null));
				FaultProxy way = FaultProxy.to("127.0.0.1", redis.port());
				PostgresServer database = PostgresServer.start(ofDatabase);
				Site site = Site.startAt("127.0.0.1", redis.port(), PostgresArchiveTests.settings(database))) {
			// The other instance has the turn.
			site.bean(ArchiveSearchIndexer.class).stop();
			site.bean(ArchiveMover.class).stop();
			site.redis().del(Keys.ARCHIVE_MOVER);
			try (SiteProcess mover = SiteProcess.launch(ofInstance.environment(),
					SharedData.settings("127.0.0.1", way.port()),
					Stream
						.concat(database.settings().stream(),
								Stream.of("--retwis.archive.every=200ms", LockServers.shared().setting()))
						.toArray(String[]::new))) {
				mover.ready();
				OldStore store = new OldStore(site);
				Visitor follower = Visitor.registered(site);
				Set<String> deleted = new HashSet<>();
				for (Duration offset : List.of(step, Duration.ZERO, step.negated(), Duration.ZERO)) {
					Visitor author = Visitor.registered(site);
					follower.follow(author);
					List<String> old;
					Interception held;
					try (Interception waiting = way.at(SentCommand.named("SCAN")).holdCommand()) {
						waiting.awaitMet();
						old = store.plant(author, 600, 100);
						held = way.at(SentCommand.containing(Keys.post(OldStore.PREFIX))).nth(300).holdReply();
					}
					List<String> kept = new ArrayList<>(old);
					try (held; SeamReaders readers = SeamReaders.ofArchive()) {
						readers.read(Visitor.of(site), "/@" + author.name(), old);
						Awaitility.await("the middle of a move, before a step to " + offset)
							.atMost(BOUND)
							.until(() -> held.met() > 0);
						for (int gone : List.of(0, 299, 301, 599)) {
							readers.delete(author, old.get(gone));
						}
						kept.removeAll(readers.deleted());
						deleted.addAll(readers.deleted());
						clock.set(offset, 0);
						assertThat(site.bean(ArchiveDatabase.class).clock().blockOptional(BOUND).orElseThrow()
								- System.currentTimeMillis())
							.isCloseTo(whose.equals("database") ? offset.toMillis() : 0, within(60_000L));
						held.close();
						Awaitility.await("the posts move").atMost(BOUND).until(() -> store.listed(author).isEmpty());
						readers.assertWhole();
					}
					Awaitility.await("the instance knows the time")
						.atMost(BOUND)
						.until(() -> Math.abs(now(site) - System.currentTimeMillis()
								- (whose.equals("redis") ? offset.toMillis() : 0)) < 60_000);
					String post = author.post("after a step to " + offset);
					FanOutWait.settle(site);
					assertThat(follower.get("/home").postIds()).contains(post);
					sweep(site, now(site) - Duration.ofMinutes(2).toMillis());
					assertThat(AllPages.idsOf(follower, "/@" + author.name())).isEqualTo(both(List.of(post), kept));
				}
				sweep(site, Long.MAX_VALUE);
				assertThat(database.sql("select id from posts")).doesNotContainAnyElementsOf(deleted)
					.doesNotHaveDuplicates();
				assertThat(deleted).allMatch((id) -> follower.get("/posts/" + id).status() == 404);
				assertThat(site.redis().xlen(Keys.DEAD_LETTERS)).isZero();
			}
		}
	}

	private static long now(Site site) {
		return site.bean(DataClock.class).millis().blockOptional(BOUND).orElseThrow();
	}

	private static void sweep(Site site, long before) {
		site.bean(ArchiveReconciler.class).sweep(before).block(BOUND);
	}

	private static List<String> both(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	/** Holds an instance at a step of the move of some posts. */
	@FunctionalInterface
	private interface Steps {

		Hold hold(FaultProxy way, PopularOldPosts posts, int number);

	}

	/**
	 * An instance that is to be held.
	 *
	 * @param isMet whether it has come to the step
	 * @param handle lets it go
	 */
	private record Hold(BooleanSupplier isMet, FaultHandle handle) {
	}

}
