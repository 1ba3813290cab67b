package live.retwis.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The rights in the database that {@code operate.md} gives are enough. */
@Timeout(120)
@ExtendWith(RedisExtension.class)
@EnabledIf("live.retwis.testing.PostgresServer#isInstalled")
class ArchiveRightsTests {

	private static final Pattern SCRIPT = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

	private static final Duration BOUND = Duration.ofSeconds(30);

	@Test
	@Tag("slow")
	void theSiteNeedsNoMoreRightsThanTheGuideGives(@OwnRedis TestRedis redis) throws IOException {
		Matcher script = SCRIPT.matcher(Files.readString(Path.of("src/docs/operate.md")));
		assertThat(script.find()).isTrue();
		try (PostgresServer database = PostgresServer.start()) {
			// The administrator of the test's server has the name of the guide.
			database.script(script.group(1).replace("retwis", "guided"));
			try (Site site = Site.start(redis,
					"--retwis.archive.url=r2dbc:postgresql://127.0.0.1:" + database.port() + "/guided",
					"--retwis.archive.username=guided", "--retwis.archive.password=secret",
					"--retwis.archive.every=1h")) {
				// A site does not wait long for its archive when it starts.
				Awaitility.await().atMost(BOUND).until(() -> site.bean(ArchiveDatabase.class).isOpen());
				Visitor author = Visitor.registered(site);
				String old = new OldStore(site).plant(author, 1, 100).get(0);
				site.bean(ArchiveMover.class).moveAll().block(BOUND);
				assertThat(site.redis().hgetall("post:" + old)).isEmpty();
				assertThat(author.get("/posts/" + old).body()).contains("text of " + old);
			}
			for (String more : List.of("create database other", "create role other",
					"create table public.other (x int)", "create schema other")) {
				assertThatIllegalStateException()
					.isThrownBy(() -> database.script("\\connect guided guided\n" + more + ";\n"))
					.withMessageContaining("permission denied");
			}
		}
	}

}
