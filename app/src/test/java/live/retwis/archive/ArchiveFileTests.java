package live.retwis.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Several instances use one file of H2. */
@Tag("slow")
@Timeout(180)
@ExtendWith(RedisExtension.class)
class ArchiveFileTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** State of a socket that listens, in {@code /proc/net/tcp}. */
	private static final String LISTENS = "0A";

	private static SiteProcess launch(TestRedis redis, Path directory, String... more) {
		return SiteProcess.launch(SharedData.settings(redis.host(), redis.port()),
				Stream
					.concat(Stream.of("--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory),
							"--retwis.archive.every=500ms", LockServers.shared().setting()), Stream.of(more))
					.toArray(String[]::new));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Tag("long")
	void whenTheFirstInstanceEndsTheOtherGoesOn(boolean killed, @OwnRedis TestRedis redis, @TempDir Path directory) {
		try (SiteProcess first = launch(redis, directory).ready();
				Site second = Site.start(redis, "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory),
						"--retwis.archive.every=1h")) {
			OldStore store = new OldStore(second);
			Visitor author = Visitor.registered(second);
			List<String> old = store.plant(author, 30, 200);
			Awaitility.await("the first instance moves").atMost(BOUND).until(() -> store.listed(author).isEmpty());
			if (killed) {
				// At once, before H2 would write by itself.
				first.kill();
			}
			else {
				for (String origin : List.of(first.origin(), second.url(""))) {
					assertThat(Visitor.at(origin).get("/@" + author.name()).postIds()).isEqualTo(old.subList(0, 20));
					assertThat(Visitor.at(origin).get("/posts/" + old.get(25)).status()).isEqualTo(200);
				}
				first.terminate(BOUND);
			}
			Awaitility.await("the second instance reads")
				.atMost(BOUND)
				.until(() -> Visitor.of(second).get("/posts/" + old.get(29)).status() == 200);
			List<String> more = store.plant(author, 5, 300);
			Awaitility.await("the second instance moves").atMost(BOUND).ignoreExceptions().until(() -> {
				second.bean(ArchiveMover.class).moveAll().block(BOUND);
				return store.listed(author).isEmpty();
			});
			List<String> all = new ArrayList<>(old);
			all.addAll(more);
			assertThat(
					second.bean(ArchivedPostRepository.class).readBack(all).blockOptional(BOUND).orElseThrow().keySet())
				.isEqualTo(new HashSet<>(all));
		}
	}

	@Test
	@Tag("long")
	void instancesThatStartAtTheSameTimeOpenOneFile(@OwnRedis TestRedis redis, @TempDir Path directory) {
		try (SiteProcess first = launch(redis, directory);
				SiteProcess second = launch(redis, directory);
				SiteProcess third = launch(redis, directory)) {
			for (SiteProcess each : List.of(first, second, third)) {
				each.ready();
				Awaitility.await("the archive of " + each.origin())
					.atMost(BOUND)
					.until(() -> Visitor.at(each.origin()).get("/posts/0000000000000").status() == 404);
			}
		}
	}

	@Test
	@Tag("long")
	@EnabledOnOs(OS.LINUX)
	void theFileIsServedOnTheLoopbackInterfaceAlone(@OwnRedis TestRedis redis, @TempDir Path directory)
			throws IOException {
		try (SiteProcess first = launch(redis, directory).ready()) {
			assertThat(first.logged()).isNotEmpty();
			String lock = Files.readString(directory.resolve("archive.lock.db"));
			String port = Pattern.compile("server=[^\\n]*?:(\\d+)")
				.matcher(lock.replace("\\", ""))
				.results()
				.map((found) -> found.group(1))
				.findFirst()
				.orElseThrow();
			String suffix = ":%04X".formatted(Integer.parseInt(port));
			List<String> addresses = new ArrayList<>();
			for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
				for (String line : Files.readAllLines(Path.of(table))) {
					String[] columns = line.strip().split("\\s+");
					if (columns[1].endsWith(suffix) && columns[3].equals(LISTENS)) {
						addresses.add(columns[1].substring(0, columns[1].indexOf(':')));
					}
				}
			}
			assertThat(addresses).isNotEmpty()
				.allMatch(
						(address) -> address.equals("0100007F") || address.equals("0000000000000000FFFF00000100007F"));
		}
	}

	/**
	 * A client that goes away cancels what it waits for, on a thread that others need.
	 */
	@Test
	void whoGivesUpAStatementDoesNotWaitForItsEnd(@OwnRedis TestRedis redis, @TempDir Path directory) {
		try (Site site = Site.start(redis, "--retwis.archive.every=1h",
				"--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory))) {
			ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
			Disposable slow = archive
				.read((client) -> client
					.sql("select sum(a.x * b.x) from system_range(1, 10000) as a, system_range(1, 30000) as b")
					.fetch()
					.all()
					.then())
				.subscribe();
			Mono.delay(Duration.ofMillis(500)).block(BOUND);
			long began = System.nanoTime();
			slow.dispose();
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
		}
	}

}
