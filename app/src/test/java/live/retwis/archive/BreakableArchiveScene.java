package live.retwis.archive;

import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests of a site whose archive fails. Each has an author of old posts and a reader. A
 * subclass is annotated with {@code @EnabledIf("isInstalled")}.
 */
@Tag("slow")
@Timeout(120)
@ExtendWith(RedisExtension.class)
abstract class BreakableArchiveScene {

	static BreakableArchive archive;

	static PostgresServer database;

	static Site site;

	final OldStore store = new OldStore(site());

	final Visitor author = Visitor.registered(site());

	final Visitor reader = Visitor.registered(site());

	/** The author's posts, the newest first, of 100 days ago and earlier. */
	final List<String> old = this.store.plant(this.author, 40, 100);

	private static Site site() {
		return site;
	}

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		archive = BreakableArchive.start(redis);
		database = archive.database();
		site = archive.site();
	}

	@AfterAll
	static void stop() {
		archive.close();
	}

	@AfterEach
	void repair() {
		archive.mend();
	}

	String profile() {
		return "/@" + this.author.name();
	}

	/** Address of the second page of the author's profile. */
	String older() {
		return this.reader.get(profile()).older();
	}

}
