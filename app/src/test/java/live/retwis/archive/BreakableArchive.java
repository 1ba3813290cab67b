package live.retwis.archive;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A site with an archive whose database can fail. */
final class BreakableArchive implements AutoCloseable {

	/** Longest time for anything that a test waits for. */
	static final Duration BOUND = Duration.ofSeconds(30);

	/** Longest time for any page. */
	static final Duration SOON = Duration.ofSeconds(3);

	private final PostgresServer database;

	private final Site site;

	private @Nullable ArchiveFault fault;

	private BreakableArchive(PostgresServer database, Site site) {
		this.database = database;
		this.site = site;
	}

	/** Starts a database and a site. */
	static BreakableArchive start(TestRedis redis) {
		PostgresServer database = PostgresServer.start();
		ArchiveFault.prepare(database);
		return new BreakableArchive(database, Site.start(redis, PostgresArchiveTests.settings(database)));
	}

	PostgresServer database() {
		return this.database;
	}

	Site site() {
		return this.site;
	}

	/** A fault begins. {@link #mend} ends it. */
	void breakBy(ArchiveFault how) {
		this.fault = how;
		how.begin(this.database);
	}

	/**
	 * Ends the fault, if there is one. Also waits until the pool has no connection any
	 * more that the server has ended. The pool hands out all in turn. After one that
	 * fails, the archive is not asked for a second.
	 */
	void mend() {
		if (this.fault != null) {
			this.fault.end(this.database);
			this.fault = null;
			Awaitility.await("the archive is back")
				.atMost(BOUND)
				.pollInterval(Duration.ofMillis(20))
				.during(Duration.ofMillis(400))
				.ignoreExceptions()
				.until(() -> this.site.bean(ArchivedPostRepository.class)
					.findAll(List.of("nobody"))
					.block(BOUND) != null);
		}
	}

	/** Moves all old posts. */
	void move() {
		this.site.bean(ArchiveMover.class).moveAll().onErrorComplete().block(BOUND.plus(BOUND));
	}

	/** Moves the likes of and the replies to an archived post. */
	void moveLists(String post) {
		Awaitility.await().atMost(BOUND).until(() -> {
			this.site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return this.site.redis().exists(Keys.likes(post), Keys.replies(post)) == 0;
		});
	}

	/** Does what has waited for the archive. */
	void sweep() {
		this.site.bean(ArchiveReconciler.class).sweep(Long.MAX_VALUE).block(BOUND);
	}

	/** Neither this instance nor Redis has what was read from the archive. */
	void forgetWhatWasFetched() {
		this.site.bean(RenderedPosts.class).filesChanged();
		this.site.keys(Keys.ARCHIVED + "*").forEach((key) -> this.site.redis().del(key));
	}

	/** Asserts that a page answers soon, with this status. */
	static void assertAnswers(Visitor visitor, String path, int status) {
		Answer answer = visitor.get(path);
		assertThat(answer.status()).as(path).isEqualTo(status);
		assertThat(answer.took()).as(path).isLessThan(SOON);
		if (status == 503) {
			assertThat(answer.header("Retry-After")).as(path).isNotEmpty();
			assertThat(answer.body()).as(path).contains("Older posts cannot be read at the moment");
		}
	}

	@Override
	public void close() {
		this.site.close();
		this.database.close();
	}

}
