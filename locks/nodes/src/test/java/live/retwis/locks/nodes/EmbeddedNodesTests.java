package live.retwis.locks.nodes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedNodesTests extends NodesInDirectory {

	EmbeddedNodesTests(@TempDir Path here) {
		super(here);
	}

	@Test
	void startsADataNodeAndFiveLockNodesThatStoreEveryLock() throws Exception {
		try (EmbeddedNodes nodes = join()) {
			int base = this.ports.base;
			assertThat(nodes.dataPort()).isEqualTo(base);
			assertThat(nodes.lockNodes()).containsExactly("redis://127.0.0.1:" + (base + 1),
					"redis://127.0.0.1:" + (base + 2), "redis://127.0.0.1:" + (base + 3),
					"redis://127.0.0.1:" + (base + 4), "redis://127.0.0.1:" + (base + 5));
			assertThat(Ask.line(base, "CONFIG GET appendfsync")).contains("everysec");
			for (int lock = base + 1; lock <= base + 5; lock++) {
				assertThat(Ask.line(lock, "CONFIG GET appendfsync")).contains("always");
				assertThat(Ask.line(lock, "CONFIG GET appendonly")).contains("yes");
				assertThat(Ask.line(lock, "CONFIG GET maxmemory-policy")).contains("noeviction");
				assertThat(Ask.line(lock, "CONFIG GET bind")).contains("127.0.0.1");
			}
		}
	}

	@Test
	void nodesHaveAMarkerWithTheDirectoryOfTheirData() throws Exception {
		try (EmbeddedNodes nodes = join()) {
			assertThat(Ask.line(nodes.dataPort(), "INFO server"))
				.contains("/data/data-" + nodes.dataPort() + "/retwis-embedded-" + nodes.dataPort() + ".conf");
			assertThat(this.ports.running()).hasSize(6)
				.extracting(EmbeddedNodeSpec.State.Running::data)
				.containsOnly(this.here.toRealPath().resolve("data"));
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void nodesKeepNoPipesOfTheProcessThatStartedThem() throws Exception {
		try (EmbeddedNodes nodes = join()) {
			for (long pid : this.ports.pids()) {
				for (int descriptor = 0; descriptor <= 2; descriptor++) {
					assertThat(Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/" + descriptor)))
						.isEqualTo(Path.of("/dev/null"));
				}
			}
		}
	}

	@Test
	void dataIsStillThereAfterARestart() throws Exception {
		try (EmbeddedNodes nodes = join()) {
			Ask.line(nodes.dataPort(), "SET post:1 hello");
		}
		assertThat(this.ports.pids()).isEmpty();
		try (EmbeddedNodes nodes = join()) {
			assertThat(Ask.line(nodes.dataPort(), "GET post:1")).contains("hello");
		}
	}

	@Test
	@Tag("slow")
	void loadsAFileWhoseEndIsMissingAfterAKill() throws Exception {
		int lock = this.ports.base + 1;
		try (EmbeddedNodes nodes = join()) {
			Ask.line(lock, "SET kept yes");
			this.ports.pids().forEach((pid) -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());
			Awaitility.await().until(() -> this.ports.pids().isEmpty());
		}
		Files.writeString(appendOnlyFile(lock), "*3\r\n$3\r\nSET\r\n$4\r\nhal", StandardOpenOption.APPEND);
		try (EmbeddedNodes nodes = join()) {
			assertThat(Ask.line(lock, "GET kept")).contains("yes");
		}
	}

	private Path appendOnlyFile(int lock) throws Exception {
		try (Stream<Path> files = Files.walk(this.here.resolve("data/lock-" + lock))) {
			return files.filter((file) -> file.toString().endsWith(".incr.aof") || file.endsWith("appendonly.aof"))
				.findFirst()
				.orElseThrow();
		}
	}

	@Test
	void startsTheNodesThatAreMissing() throws Exception {
		try (EmbeddedNodes first = join()) {
			List<Long> pids = this.ports.pids();
			ProcessHandle.of(pids.get(2)).orElseThrow().destroyForcibly();
			Awaitility.await().until(() -> ProcessProbe.isGone(pids.get(2)));
			try (EmbeddedNodes second = join()) {
				assertThat(this.ports.pids()).hasSize(6).containsAll(pids.subList(3, 6)).doesNotContain(pids.get(2));
			}
			assertThat(this.ports.pids()).hasSize(6);
		}
		assertThat(this.ports.pids()).isEmpty();
	}

	@Test
	void whoOnlyJoinsFindsNodesThatRunAndStartsNoneOtherwise() {
		assertThat(EmbeddedNodes.joinRunning(this.ports.base)).isEmpty();
		assertThat(this.ports.pids()).isEmpty();
		try (EmbeddedNodes first = join();
				EmbeddedNodes second = EmbeddedNodes.joinRunning(this.ports.base).orElseThrow()) {
			first.close();
			assertThat(this.ports.pids()).hasSize(6);
		}
		assertThat(this.ports.pids()).isEmpty();
	}

	@Test
	void closingTwiceLeavesTheNodesOnlyOnce() {
		try (EmbeddedNodes first = join(); EmbeddedNodes second = join()) {
			first.close();
			first.close();
			assertThat(this.ports.pids()).hasSize(6);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPausedNodeIsStoppedToo() {
		List<Long> pids;
		try (EmbeddedNodes nodes = join()) {
			pids = this.ports.pids();
			Signal.STOP.send(pids.get(1));
		}
		assertThat(pids).allMatch(ProcessProbe::isGone);
	}

	@Test
	void startingWaitsForANodeThatLoadsItsData() throws Exception {
		EmbeddedNodeSpec node = EmbeddedNodeSpec.from(this.ports.base).get(0);
		AtomicInteger pings = new AtomicInteger();
		try (FakeServer loading = new FakeServer(node.port(),
				(command) -> (pings.incrementAndGet() > 3) ? "+PONG\r\n"
						: "-LOADING Redis is loading the dataset in memory\r\n");
				ServerIdentityProbe client = new ServerIdentityProbe()) {
			new EmbeddedNodeProcesses(List.of(node), client).awaitLoaded(this.here);
			assertThat(pings).hasValue(4);
		}
	}

}
