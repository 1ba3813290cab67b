package live.retwis.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.node.SettableNodeClock;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.PostgresServer;
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
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Posts move to the archive while instances, Redis or the database are killed, while two
 * instances move the same posts, and while posts are liked and deleted. Readers go
 * through all pages meanwhile. Every post is on one page, and none that was deleted.
 */
@Timeout(900)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class ArchiveChaos {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final Duration DAY = Duration.ofDays(1);

	/** More commands than a move of a few posts sends. */
	private static final int MOST = 80;

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

	/** The ids on all pages of a list, in their order. */
	private static List<String> ids(Visitor visitor, String path) {
		List<String> ids = new ArrayList<>();
		String next = path;
		for (int pages = 0; !next.isEmpty(); pages++) {
			assertThat(pages).isLessThan(100);
			Answer answer = visitor.get(next);
			assertThat(answer.status()).as(next).isEqualTo(200);
			ids.addAll(answer.postIds());
			next = answer.older();
		}
		return ids;
	}

	/**
	 * An instance is killed at each of the commands that a move sends to Redis: before
	 * the command arrives, or after it was done.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void everyPostIsThereAfterAnInstanceWasKilledWhileItMovedThem(boolean replied, @OwnRedis TestRedis redis) {
		try (PostgresServer database = PostgresServer.start();
				Site survivor = Site.start(redis, PostgresArchiveTests.settings(database))) {
			// Every half a minute it would take the turn before the other instance is up.
			survivor.bean(PostIndexer.class).stop();
			OldStore store = new OldStore(survivor);
			Visitor reader = Visitor.registered(survivor);
			int killed = 0;
			for (int number = 1; number <= MOST; number++) {
				Visitor author = Visitor.registered(survivor);
				List<String> old = store.plant(author, 3, 100);
				survivor.redis()
					.zadd(Keys.pulledOf(author.id()), survivor.redis().zscore(Keys.postsOf(author.id()), old.get(1)),
							old.get(1));
				survivor.redis().del(Keys.ARCHIVE_MOVER);
				Predicate<SentCommand> step = (command) -> command.arguments()
					.stream()
					.anyMatch((word) -> word.endsWith(":" + author.id()) || old.stream().anyMatch(word::endsWith));
				boolean met;
				try (FaultProxy way = redis.proxy()) {
					Interception held = replied ? way.at(step).nth(number).holdReply()
							: way.at(step).nth(number).holdCommand();
					try (SiteProcess victim = SiteProcess.launch(SharedData.settings("127.0.0.1", way.port()),
							Stream
								.concat(database.settings().stream(),
										Stream.of("--retwis.archive.every=1h", LockServers.shared().setting()))
								.toArray(String[]::new))) {
						Awaitility.await("command " + number + ", or the end of the move")
							.atMost(BOUND)
							.pollInterval(Duration.ofMillis(20))
							.until(() -> held.met() > 0
									|| !posts(database).equals("0") && store.listed(author).isEmpty());
						met = held.met() > 0;
						victim.kill();
					}
					held.close();
				}
				assertThat(ids(reader, "/@" + author.name())).as("killed at command %s", number).isEqualTo(old);
				for (String id : old) {
					assertThat(reader.get("/posts/" + id).status()).isEqualTo(200);
				}
				move(survivor);
				assertThat(store.listed(author)).isEmpty();
				assertThat(store.inRedis(old)).isEmpty();
				assertThat(ids(reader, "/@" + author.name())).isEqualTo(old);
				assertThat(reader.get("/@" + author.name()).body()).contains("<b>3</b> posts<");
				if (!met) {
					break;
				}
				killed++;
			}
			assertThat(killed).isGreaterThan(8);
		}
	}

	/**
	 * Two instances move at once while readers go on, and posts are liked and deleted.
	 */
	@Test
	void readersMissNothingWhileTwoInstancesMoveTheSamePosts(@OwnRedis TestRedis redis) throws Exception {
		try (PostgresServer database = PostgresServer.start();
				Site one = Site.start(redis, PostgresArchiveTests.settings(database));
				Site two = Site.start(redis, PostgresArchiveTests.settings(database))) {
			OldStore store = new OldStore(one);
			List<Visitor> authors = IntStream.range(0, 4).mapToObj((i) -> Visitor.registered(one)).toList();
			List<List<String>> posts = authors.stream().map((author) -> store.plant(author, 120, 60)).toList();
			Visitor leaver = Visitor.registered(one);
			String leaverId = leaver.id();
			List<String> left = store.plant(leaver, 300, 60);
			Visitor follower = Visitor.registered(one);
			authors.forEach(follower::follow);
			FanOutWait.settle(one);
			Set<String> deleted = ConcurrentHashMap.newKeySet();
			Set<String> liked = ConcurrentHashMap.newKeySet();
			Set<String> kept = new HashSet<>();
			for (List<String> some : posts) {
				for (int i = 0; i < some.size(); i++) {
					if (i % 10 != 7) {
						kept.add(some.get(i));
					}
				}
			}
			AtomicBoolean over = new AtomicBoolean();
			AtomicInteger rounds = new AtomicInteger();
			ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
			List<CompletableFuture<Void>> readers = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				int number = i;
				Site at = (i % 2 == 0) ? one : two;
				readers.add(CompletableFuture.runAsync(() -> {
					Visitor stranger = (number < 4) ? Visitor.of(at) : follower.sentTo(at.url(""));
					List<String> mine = (number < 4) ? posts.get(number)
							: posts.stream().flatMap(List::stream).toList();
					while (!over.get()) {
						Set<String> gone = new HashSet<>(deleted);
						List<String> seen = ids(stranger, (number < 4) ? "/@" + authors.get(number).name() : "/home");
						rounds.incrementAndGet();
						Set<String> missing = new HashSet<>(mine);
						missing.retainAll(kept);
						missing.removeAll(seen);
						if (!missing.isEmpty()) {
							problems.add("reader " + number + " misses " + missing);
						}
						if (new HashSet<>(seen).size() != seen.size()) {
							problems.add("reader " + number + " sees a post twice");
						}
						gone.retainAll(seen);
						if (!gone.isEmpty()) {
							problems.add("reader " + number + " sees deleted " + gone);
						}
					}
				}));
			}
			CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> {
				for (int i = 119; i >= 0; i--) {
					if (i == 100) {
						leaver.get("/settings");
						assertThat(leaver.submit("/settings/delete", "password", Visitor.PASSWORD).status())
							.isEqualTo(303);
					}
					if (i % 6 == 0) {
						one.redis().del(Keys.homeTimeline(follower.id()), Keys.homeCompleteFrom(follower.id()));
					}
					for (int a = 0; a < authors.size(); a++) {
						String post = posts.get(a).get(i);
						Visitor author = authors.get(a);
						if (i % 10 == 7) {
							assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
							deleted.add(post);
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
			int enough = rounds.get() + 6;
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> rounds.get() >= enough
						|| readers.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
			over.set(true);
			CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).get();
			assertThat(problems).isEmpty();
			move(one);
			sweep(one, Long.MAX_VALUE);
			for (int a = 0; a < authors.size(); a++) {
				assertThat(one.redis().zscore(Keys.postsOf(authors.get(a).id()), "#").intValue()
						+ store.listed(authors.get(a)).size())
					.isEqualTo(108);
			}
			assertThat(database.sql("select id from posts")).doesNotContainAnyElementsOf(deleted)
				.doesNotContainAnyElementsOf(left);
			assertThat(one.redis().exists(Keys.postsOf(leaverId), Keys.pulledOf(leaverId))).isZero();
			assertThat(liked).hasSize(48).allSatisfy((post) -> {
				String page = Visitor.of(two).get("/posts/" + post + "/likes").body();
				assertThat(page).contains("/@" + follower.name() + "\"", "/posts/" + post + "/like\" data-count=\"1\"");
			});
			assertThat(one.redis().xlen(Keys.DEAD_LETTERS)).isZero();
		}
	}

	/** Redis, then the database, is killed while posts move. */
	@Test
	void movingGoesOnAfterRedisAndTheDatabaseWereKilled(
			@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		try (PostgresServer database = PostgresServer.start();
				Site site = Site.start(redis, PostgresArchiveTests.settings(database))) {
			OldStore store = new OldStore(site);
			Visitor author = Visitor.registered(site);
			List<String> old = store.plant(author, 3000, 100);
			List<Runnable> kills = List.of(redis::restart, () -> {
				database.kill();
				database.restart();
			}, () -> {
				database.pause();
				Awaitility.await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
				database.resume();
			});
			for (Runnable kill : kills) {
				String before = posts(database);
				CompletableFuture<Void> moving = site.bean(ArchiveMover.class).moveAll().onErrorComplete().toFuture();
				Awaitility.await()
					.atMost(BOUND)
					.pollInterval(Duration.ofMillis(2))
					.until(() -> moving.isDone() || !posts(database).equals(before));
				kill.run();
				moving.join();
				Awaitility.await()
					.atMost(BOUND)
					.ignoreExceptions()
					.until(() -> Visitor.of(site).get("/timeline").status() == 200);
				Set<String> somewhere = new HashSet<>(store.inRedis(old));
				somewhere.addAll(database.sql("select id from posts"));
				assertThat(somewhere).hasSize(3000);
			}
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> {
				move(site);
				return store.listed(author).isEmpty();
			});
			Set<String> archived = new HashSet<>(database.sql("select id from posts"));
			assertThat(archived).hasSize(3000).containsAll(old);
			assertThat(Visitor.of(site).get("/@" + author.name()).body()).contains("<b>3000</b> posts<");
		}
	}

	/**
	 * The clock of the data node, by which all instances go, steps forward by a day and
	 * back while posts move and are deleted. Needs a C compiler named {@code cc}.
	 */
	@Test
	void nothingIsLostAndNothingComesBackWhenTheClockStepsByADayWhilePostsMove(@TempDir Path directory) {
		SettableNodeClock clock = SettableNodeClock.create(directory, 1);
		try (RedisProcess redis = RedisProcess
			.start(new RedisProcessOptions(TestPorts.next(), null, List.of(), clock.environment(), false, null));
				PostgresServer database = PostgresServer.start();
				Site site = Site.startAt("127.0.0.1", redis.port(), PostgresArchiveTests.settings(database))) {
			OldStore store = new OldStore(site);
			Visitor follower = Visitor.registered(site);
			Visitor stranger = Visitor.of(site);
			Set<String> deleted = new HashSet<>();
			for (Duration offset : List.of(DAY, Duration.ZERO, DAY.negated(), Duration.ZERO)) {
				Visitor author = Visitor.registered(site);
				follower.follow(author);
				List<String> old = store.plant(author, 1500, 100);
				List<String> kept = new ArrayList<>(old);
				for (int i = 0; i < old.size(); i += 300) {
					deleted.add(kept.remove(old.size() - 1 - i));
					assertThat(author.submit("/posts/" + old.get(old.size() - 1 - i) + "/delete").status())
						.isEqualTo(303);
				}
				CompletableFuture<Void> moving = site.bean(ArchiveMover.class).moveAll().toFuture();
				Awaitility.await("some posts have moved")
					.atMost(BOUND)
					.pollInterval(Duration.ofMillis(2))
					.until(() -> moving.isDone() || store.inRedis(List.of(kept.get(kept.size() - 1))).isEmpty());
				clock.set(offset, 0);
				assertThat(author.submit("/posts/" + kept.get(0) + "/delete").status()).isEqualTo(303);
				assertThat(author.submit("/posts/" + kept.get(kept.size() - 1) + "/delete").status()).isEqualTo(303);
				deleted.add(kept.remove(0));
				deleted.add(kept.remove(kept.size() - 1));
				moving.join();
				Awaitility.await("the instance knows the time")
					.atMost(BOUND)
					.until(() -> Math.abs(now(site) - System.currentTimeMillis() - offset.toMillis()) < 60_000);
				String post = author.post("after a step to " + offset);
				FanOutWait.settle(site);
				assertThat(follower.get("/home").postIds()).contains(post);
				sweep(site, now(site) - Duration.ofMinutes(2).toMillis());
				assertThat(ids(stranger, "/@" + author.name())).isEqualTo(withFirst(post, kept));
				move(site);
				assertThat(ids(stranger, "/@" + author.name())).isEqualTo(withFirst(post, kept));
				assertThat(store.listed(author)).containsExactly(post);
			}
			sweep(site, Long.MAX_VALUE);
			assertThat(database.sql("select id from posts")).doesNotContainAnyElementsOf(deleted)
				.doesNotHaveDuplicates();
			assertThat(deleted).allMatch((id) -> stranger.get("/posts/" + id).status() == 404);
			assertThat(site.redis().xlen(Keys.DEAD_LETTERS)).isZero();
		}
	}

	private static long now(Site site) {
		return site.bean(DataClock.class).millis().blockOptional(BOUND).orElseThrow();
	}

	private static void sweep(Site site, long before) {
		site.bean(ArchiveReconciler.class).sweep(before).block(BOUND);
	}

	private static List<String> withFirst(String first, List<String> others) {
		return Stream.concat(Stream.of(first), others.stream()).toList();
	}

}
