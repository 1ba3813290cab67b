package live.retwis.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.SeamReaders;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The database fails in the middle of a move of posts, while readers go through them and
 * some are deleted and liked. An instance that can be held at a command moves them, and
 * another one serves the readers.
 */
@Tag("slow")
@Timeout(300)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class ArchiveFaultsWhileMovingTests {

	/** Answers that are awaited while the database fails. */
	private static final int MANY = 20;

	/** The same while each statement takes seconds. */
	private static final int FEW = 6;

	private static final Set<ArchiveFault> TAKE_NO_WRITES = Set.of(ArchiveFault.KILLED, ArchiveFault.PAUSED,
			ArchiveFault.FULL, ArchiveFault.READ_ONLY);

	private static BreakableArchive archive;

	private static FaultProxy way;

	private static Site mover;

	/** Where a move stands when the database fails. */
	private enum Moment {

		/** The posts are marked, and not yet in the archive. */
		WRITING {
			@Override
			Interception hold(String post) {
				return way.at(SentCommand.with(Keys.post(post))).nth(1).holdReply();
			}
		},

		/** The archive has the posts, and Redis still has them. */
		REMOVING {
			@Override
			Interception hold(String post) {
				return way.at(SentCommand.with(Keys.post(post))).nth(2).holdCommand();
			}
		},

		/**
		 * Only the archive has the posts, and the list in Redis still has their places.
		 */
		LISTING {
			@Override
			Interception hold(String post) {
				return way.at(SentCommand.with(post)).nth(1).holdCommand();
			}
		};

		/** Holds the next move when it comes to a post. */
		abstract Interception hold(String post);

	}

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		archive = BreakableArchive.start(redis);
		way = redis.proxy();
		mover = Site.startAt("127.0.0.1", way.port(), PostgresArchiveTests.settings(archive.database()));
	}

	@AfterAll
	static void stop() {
		mover.close();
		way.close();
		archive.close();
	}

	@AfterEach
	void repair() {
		archive.mend();
	}

	@ParameterizedTest
	@CsvSource({ "WRITING, PAUSED", "WRITING, FULL", "REMOVING, KILLED", "LISTING, KILLED" })
	void readersMissNothingWhenTheDatabaseFailsInTheMiddleOfAMove(Moment moment, ArchiveFault how) {
		assertNothingIsMissed(moment, how);
	}

	@ParameterizedTest
	@Tag("long")
	@CsvSource({ "WRITING, KILLED", "WRITING, SLOW", "WRITING, READ_ONLY", "WRITING, RESTARTED", "REMOVING, PAUSED",
			"LISTING, PAUSED" })
	void readersMissNothingWhenItFailsInOtherWays(Moment moment, ArchiveFault how) {
		assertNothingIsMissed(moment, how);
	}

	private void assertNothingIsMissed(Moment moment, ArchiveFault how) {
		Site site = archive.site();
		OldStore store = new OldStore(site);
		Visitor author = Visitor.registered(site);
		Visitor reader = Visitor.registered(site);
		List<String> archived = store.plant(author, 25, 200);
		archive.move();
		List<String> old = store.plant(author, 40, 100);
		List<String> all = new ArrayList<>(store.plant(author, 25, 1));
		all.addAll(old);
		all.addAll(archived);
		reader.follow(author);
		FanOutWait.settle(site);
		try (SeamReaders readers = SeamReaders.ofArchive()) {
			readers.read(Visitor.of(site), "/@" + author.name(), all);
			readers.read(reader.sentTo(site.url("")), "/home", all);
			readers.awaitReadings(1);
			CompletableFuture<Void> moving;
			try (Interception held = moment.hold(old.get(20))) {
				moving = mover.bean(ArchiveMover.class).moveAll().toFuture();
				held.awaitMet();
				readers.delete(author, old.get(3));
				readers.delete(author, old.get(20));
				assertThat(reader.submit("/posts/" + old.get(5) + "/like").status()).isEqualTo(303);
				archive.breakBy(how);
			}
			readers.awaitAnswers((how == ArchiveFault.SLOW) ? FEW : MANY);
			if (how == ArchiveFault.KILLED || how == ArchiveFault.PAUSED) {
				assertThat(readers.refused()).as("pages of older posts that were away").isPositive();
			}
			if (moment == Moment.WRITING && TAKE_NO_WRITES.contains(how)) {
				assertThat(store.inRedis(old)).as("nothing has moved").isEqualTo(old);
			}
			archive.mend();
			moving.exceptionally((away) -> null).join();
			Awaitility.await("the posts move").atMost(BreakableArchive.BOUND).ignoreExceptions().until(() -> {
				mover.bean(ArchiveMover.class).moveAll().block(BreakableArchive.BOUND);
				return store.listed(author).size() == 25;
			});
			readers.assertWhole();
			FanOutWait.settle(site);
			Awaitility.await("what was done meanwhile is done in the archive")
				.atMost(BreakableArchive.BOUND)
				.untilAsserted(() -> {
					archive.sweep();
					assertThat(archive.database().sql("select id from posts where author = '" + author.id() + "'"))
						.hasSize(63)
						.doesNotContainAnyElementsOf(readers.deleted());
					assertThat(archive.database().sql("select likes from posts where id = '" + old.get(5) + "'"))
						.containsExactly("1");
				});
		}
	}

}
