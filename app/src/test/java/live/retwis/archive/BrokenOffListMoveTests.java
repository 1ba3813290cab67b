package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The move of the likes of and the replies to an archived post is broken off at each of
 * its commands. Two passes are broken off: the first one takes the lists over as those of
 * an archived post, the second one moves them. The other instance shows them all the
 * while, and moves them in the end.
 */
@Tag("slow")
@Timeout(300)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class BrokenOffListMoveTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** More commands than a pass sends for the lists of a post. */
	private static final int MOST = 20;

	private static final int PASSES = 2;

	private static PostgresServer database;

	private static FaultProxy way;

	private static Site survivor;

	/** Its workers stand still, so that it only moves. */
	private static Site victim;

	private final Visitor author = Visitor.registered(survivor());

	private final Visitor liker = Visitor.registered(survivor());

	private final Visitor reader = Visitor.registered(survivor());

	private final OldStore store = new OldStore(survivor());

	/** How a move ends at a command. */
	private enum End {

		/** The instance ends before the command arrives. */
		BEFORE,

		/** The instance ends after the command was done. */
		AFTER,

		/** The command comes late, after somebody has read and changed the lists. */
		LATE

	}

	private static Site survivor() {
		return survivor;
	}

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = PostgresServer.start();
		way = redis.proxy();
		String[] settings = PostgresArchiveTests.settings(database);
		survivor = Site.start(redis, settings);
		victim = Site.startAt("127.0.0.1", way.port(),
				Stream.concat(Stream.of(settings), Stream.of("--retwis.fan-out.worker=false")).toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		victim.close();
		survivor.close();
		way.close();
		database.close();
	}

	@ParameterizedTest
	@Tag("long")
	@CsvSource({ "BEFORE, true", "BEFORE, false", "AFTER, true", "AFTER, false", "LATE, true" })
	void likesAndRepliesAreThereOnceAfterTheirMoveWasBrokenOffAtAnyCommand(End end, boolean read) {
		for (int passes = 0; passes < PASSES; passes++) {
			int commands = 0;
			while (breakOff(end, passes, commands + 1, read)) {
				commands++;
				assertThat(commands).isLessThan(MOST);
			}
			assertThat(commands).as("commands of pass %s", passes).isGreaterThanOrEqualTo(8);
		}
	}

	/**
	 * Breaks off the move of the lists of a new post.
	 * @param passes whole passes before that one
	 * @param read whether somebody reads the lists before they are moved again
	 * @return whether that many commands were sent
	 */
	private boolean breakOff(End end, int passes, int number, boolean read) {
		String post = archivedPost();
		for (int i = 0; i < passes; i++) {
			moveLists();
		}
		awaitUnused(post);
		CommandFailpoint point = way.at(SentCommand.containing(post)).nth(number);
		boolean met;
		int likes = 1;
		try (Interception held = (end == End.AFTER) ? point.holdReply() : point.holdCommand()) {
			CompletableFuture<Void> moving = victim.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).toFuture();
			Awaitility.await("command " + number + ", or the end of the move")
				.atMost(BOUND)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> held.met() > 0 || moving.isDone());
			met = held.met() > 0;
			if (end == End.LATE) {
				assertShown(post, 1);
				assertThat(this.reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
				assertShown(post, ++likes);
				held.close();
			}
			else {
				moving.cancel(true);
				way.cut().close();
			}
			moving.exceptionally((broken) -> null).join();
			awaitVictim();
		}
		if (read) {
			assertShown(post, likes);
		}
		Awaitility.await("the lists move").atMost(BOUND).until(() -> {
			moveLists();
			return survivor.redis()
				.exists(Keys.likes(post), Keys.replies(post), Keys.listInUse(Keys.likes(post)),
						Keys.listInUse(Keys.replies(post))) == 0;
		});
		assertThat(database.sql("select members from lists where name = '" + Keys.likes(post) + "'")).singleElement()
			.satisfies((members) -> assertThat(members).containsOnlyOnce(this.liker.id()));
		assertShown(post, likes);
		assertThat(this.liker.submit("/posts/" + post + "/unlike").status()).isEqualTo(303);
		awaitLikes(post, likes - 1);
		return met;
	}

	/** Its connection is there again. */
	private static void awaitVictim() {
		Awaitility.await()
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(20))
			.ignoreExceptions()
			.until(() -> victim.bean(ReactiveStringRedisTemplate.class).hasKey(Keys.ARCHIVE_SITE).block(BOUND));
	}

	/** The pool has no connection any more that the database has ended. */
	private static void awaitArchive(Site site) {
		Awaitility.await()
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(20))
			.during(Duration.ofMillis(400))
			.ignoreExceptions()
			.until(() -> site.bean(ArchivedPostRepository.class).findAll(List.of("nobody")).block(BOUND) != null);
	}

	/** A post in the archive. Its like and its reply are in Redis. */
	private String archivedPost() {
		String post = this.store.plant(this.author, 1, 200).get(0);
		assertThat(this.liker.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		assertThat(this.liker.postJson("body", "an early reply", "reply_to", post).status()).isEqualTo(201);
		FanOutWait.settle(survivor);
		awaitLikes(post, 1);
		survivor.bean(ArchiveMover.class).moveAll().block(BOUND);
		assertThat(this.store.inRedis(List.of(post))).isEmpty();
		return post;
	}

	/** For the clock of the victim the last use of the lists is in the past. */
	private static void awaitUnused(String post) {
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> Stream.of(Keys.likes(post), Keys.replies(post))
				.allMatch((list) -> survivor.redis()
					.zscore(Keys.ARCHIVE_LISTS,
							list) < victim.bean(DataClock.class).millis().blockOptional(BOUND).orElseThrow()));
	}

	private static void moveLists() {
		survivor.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
	}

	private void awaitLikes(String post, int count) {
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(this.reader.get("/posts/" + post).body()).containsPattern(
					"/posts/" + post + "/(un)?like\"" + ((count > 0) ? " data-count=\"" + count + "\"" : "") + "[ >]"));
	}

	/** The page of the post shows the reply once, and that of its likes who likes it. */
	private void assertShown(String post, int likes) {
		assertThat(this.reader.get("/posts/" + post).body()).containsOnlyOnce("an early reply");
		assertThat(this.reader.get("/posts/" + post + "/likes").body()).contains("@" + this.liker.name());
		awaitLikes(post, likes);
	}

	/** The database ends, or refuses, after the lists were read in Redis. */
	@ParameterizedTest
	@CsvSource({ "KILLED", "READ_ONLY" })
	void likesAndRepliesStayInRedisWhenTheDatabaseFailsInTheMiddleOfTheirMove(ArchiveFault fault) {
		String post = archivedPost();
		moveLists();
		awaitUnused(post);
		Predicate<SentCommand> reading = (command) -> command.name().startsWith("EVAL")
				&& command.arguments().contains(Keys.replies(post));
		try (Interception held = way.at(reading).nth(1).holdReply()) {
			CompletableFuture<Void> moving = victim.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).toFuture();
			held.awaitMet();
			fault.begin(database);
			held.close();
			moving.exceptionally((away) -> null).join();
			assertThat(survivor.redis().zrange(Keys.likes(post), 0, -1)).containsExactly(this.liker.id());
			assertThat(survivor.redis().zcard(Keys.replies(post))).isOne();
			fault.end(database);
		}
		List.of(survivor, victim).forEach(BrokenOffListMoveTests::awaitArchive);
		Awaitility.await().atMost(BOUND).until(() -> {
			moveLists();
			return survivor.redis().exists(Keys.likes(post), Keys.replies(post)) == 0;
		});
		assertShown(post, 1);
	}

}
