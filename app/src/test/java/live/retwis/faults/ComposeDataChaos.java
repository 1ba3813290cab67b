package live.retwis.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import live.retwis.ops.ComposeService;
import live.retwis.ops.ComposeSite;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The site in containers, with its data on Sentinel and on a cluster. The master that has
 * the log hangs until another node has taken its place.
 */
@Timeout(420)
class ComposeDataChaos {

	private static final Duration LIMIT = Duration.ofSeconds(90);

	@BeforeAll
	static void docker() {
		ComposeSite.assumeDocker();
	}

	@Test
	void nothingIsLostWhenSentinelReplacesAMasterThatHangs() {
		try (ComposeSite site = ComposeSite.up(2, "app/src/ops/compose/sentinel.yml")) {
			assertContinuesWithout(site, site.part("redis"));
		}
	}

	@Test
	void nothingIsLostWhenAClusterReplacesAMasterThatHangs() {
		try (ComposeSite site = ComposeSite.up(2, "app/src/ops/compose/cluster.yml")) {
			assertContinuesWithout(site, site.part(masterOfTheLog(site)));
		}
	}

	/** A post of last year that has moved to the archive. */
	private static String archivedPost(ComposeSite site, Visitor author) {
		String id = "0Z00000000001";
		String millis = Long.toString(System.currentTimeMillis() - Duration.ofDays(365).toMillis());
		site.redis("redis", "HSET", Keys.post(id), "author", author.id(), "username", author.name(), "created", millis,
				"body", "made long ago");
		site.redis("redis", "ZADD", Keys.postsOf(author.id()), millis, id);
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(site.redis("redis", "EXISTS", Keys.post(id)).strip()).isEqualTo("0"));
		assertThat(author.get("/posts/" + id).body()).contains("made long ago");
		return id;
	}

	private static String sql(ComposeSite site, String statement) {
		return site.part("archive")
			.run("sh", "-c",
					"PGPASSWORD=$ARCHIVE_PASSWORD psql -h 127.0.0.1 -U retwis -d retwis -c \"" + statement + "\"");
	}

	@Test
	void aRestoredBackupHasEveryPost(@TempDir Path directory) {
		String backup = directory.resolve("backup.rdb").toString();
		try (ComposeSite site = ComposeSite.up(2)) {
			Visitor author = Visitor.registered(site.origin());
			assertPosts(author, "kept");
			String old = archivedPost(site, author);
			site.script("backup.sh", backup);
			assertPosts(author, "late");
			assertThat(sql(site, "delete from posts where id = '" + old + "'")).contains("DELETE 1");
			site.script("restore.sh", backup);
			site.awaitWell();
			assertThat(author.get("/home").body()).contains("kept").doesNotContain("late");
			assertThat(sql(site, "select body from posts where id = '" + old + "'")).contains("made long ago");
			assertThat(author.get("/posts/" + old).body()).contains("made long ago");
			site.doctor("--fix");
			assertThat(site.doctor()).contains("every rule holds.");
			assertPosts(author, "next");
			site.part("redis").restart();
			site.awaitWell();
			assertThat(author.get("/home").body()).contains("kept", "next");
		}
	}

	/** The master of the slot that has the log. */
	private static String masterOfTheLog(ComposeSite site) {
		List<String> services = List.of("redis", "redis-2", "redis-3", "redis-4", "redis-5", "redis-6");
		return services.stream()
			.filter((service) -> site.redis(service, "role").startsWith("master")
					&& site.redis(service, "exists", "{live}:log").equals("1"))
			.findFirst()
			.orElseThrow();
	}

	private static void assertContinuesWithout(ComposeSite site, ComposeService master) {
		Visitor author = Visitor.registered(site.origin());
		try (EventStream stream = author.open("/live/home")) {
			assertPosts(author, "before");
			stream.awaitPost("before");
		}
		master.pause();
		try {
			Awaitility.await("another master")
				.atMost(LIMIT)
				.ignoreExceptions()
				.until(() -> post(author, "meanwhile").status() == 201);
		}
		finally {
			master.resume();
		}
		site.awaitWell();
		// A post that was made during the fault may reach the timeline later, from the
		// log.
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(author.get("/home").body()).contains("before", "meanwhile"));
		try (EventStream stream = author.open("/live/home")) {
			assertPosts(author, "after");
			stream.awaitPost("after");
		}
	}

	private static void assertPosts(Visitor author, String text) {
		Answer answer = post(author, text);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
	}

	private static Answer post(Visitor author, String text) {
		author.get("/home");
		return author.postJson("body", text, "once", text);
	}

}
