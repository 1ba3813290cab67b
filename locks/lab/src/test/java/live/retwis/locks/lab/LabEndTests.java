package live.retwis.locks.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is left of a lab that is ended from outside, with its own servers and a client
 * process.
 */
@Timeout(90)
class LabEndTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	/** Exit code of a process that SIGTERM has ended. */
	private static final int TERMINATED = 128 + 15;

	private Process lab = start("1", 50);

	private static Process start(String scenario, int rounds) {
		try {
			return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
					LabCommand.class.getName(), "run", scenario, "--rounds=" + rounds)
				.redirectErrorStream(true)
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The processes of the lab after its first round. */
	private List<ProcessHandle> processes() throws IOException {
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.lab.getInputStream(), StandardCharsets.UTF_8));
		String line = lines.readLine();
		while (line != null && !line.contains("round 1,")) {
			line = lines.readLine();
		}
		assertThat(line).isNotNull();
		List<ProcessHandle> processes = this.lab.descendants().toList();
		assertThat(processes).hasSizeGreaterThan(5);
		return processes;
	}

	private static void awaitEnd(List<ProcessHandle> processes) {
		Awaitility.await().atMost(BOUND).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
	}

	@AfterEach
	void end() {
		List<ProcessHandle> left = this.lab.descendants().toList();
		this.lab.destroyForcibly();
		left.forEach(ProcessHandle::destroyForcibly);
	}

	/**
	 * SIGINT (Ctrl-C) is handled in the same way. It is not used here, because a process
	 * in the background may ignore it.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aLabThatIsAskedToEndEndsAllItsProcesses() throws Exception {
		List<ProcessHandle> processes = processes();
		new ProcessBuilder("kill", "-TERM", String.valueOf(this.lab.pid())).start().waitFor();
		assertThat(this.lab.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.lab.exitValue()).isEqualTo(TERMINATED);
		awaitEnd(processes);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theProcessesOfAKilledLabEndAtOnce() throws Exception {
		List<ProcessHandle> processes = processes();
		this.lab.destroyForcibly().waitFor();
		awaitEnd(processes);
	}

}
