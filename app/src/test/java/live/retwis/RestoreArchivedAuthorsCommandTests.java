package live.retwis;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.archive.ArchiveMover;
import live.retwis.archive.OldStore;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the command of the jar in this process. */
@Timeout(180)
@ExtendWith(RedisExtension.class)
class RestoreArchivedAuthorsCommandTests {

	private final LockServers locks = new LockServers(3);

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@AfterEach
	void stop() {
		this.locks.close();
	}

	private int run(String... arguments) {
		CommandLine command = RetwisLive.commandLine();
		command.setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err));
		return command.execute(arguments);
	}

	private int restore(TestRedis redis, String... settings) {
		List<String> arguments = new ArrayList<>(
				List.of("restore-from-archive", "--retwis.embedded=false", "--spring.data.redis.host=" + redis.host(),
						"--spring.data.redis.port=" + redis.port(), this.locks.setting()));
		arguments.addAll(List.of(settings));
		return run(arguments.toArray(String[]::new));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theAuthorsAreBackAndWhatIsLostIsPrinted(@OwnRedis TestRedis lost, @OwnRedis TestRedis empty,
			@TempDir Path directory) {
		String archive = "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory);
		String name;
		try (Site site = Site.start(lost, this.locks.setting(), archive)) {
			Visitor author = Visitor.registered(site);
			name = author.name();
			new OldStore(site).plant(author, 3, 100);
			site.bean(ArchiveMover.class).moveAll().block(Duration.ofMinutes(1));
		}
		assertThat(restore(empty, archive)).as(this.err.toString()).isZero();
		assertThat(this.out.toString()).startsWith(name + " comes back. New password: ")
			.contains("\n" + name + " is back as " + name + ", with 3 archived posts\n")
			.contains("\nUsers who were suspended are active again. Suspend them before they log in.\n");
	}

	@Test
	@Tag("slow")
	void withoutAnArchiveItFailsAndSaysWhichSettingIsMissing(@OwnRedis TestRedis redis) {
		assertThat(restore(redis)).isOne();
		assertThat(this.err.toString())
			.isEqualTo("There is no archive. Set retwis.archive.url to the one to restore from.\n");
		assertThat(this.out.toString()).isEmpty();
	}

	@Test
	void helpExplainsAndAMistypedArgumentIsRefused() {
		assertThat(run("restore-from-archive", "--help")).isZero();
		assertThat(this.out.toString()).contains("restore-from-archive [--property=value ...]", "End all instances");
		assertThat(run("restore-from-archive", "now")).isEqualTo(2);
		assertThat(this.err.toString()).contains("'now' is neither an option nor a setting");
	}

}
