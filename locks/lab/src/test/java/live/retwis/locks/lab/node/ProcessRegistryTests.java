package live.retwis.locks.lab.node;

import java.io.BufferedReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.UserTempDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What happens to the processes of a lab that was killed.
 */
class ProcessRegistryTests {

	private final Process left = start();

	private static Process start() {
		try {
			return new ProcessBuilder("sleep", "60").start();
		}
		catch (java.io.IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

	@AfterEach
	void end() {
		this.left.destroyForcibly();
	}

	/** The record of a lab whose own process has ended long ago. */
	private Path record(long start) throws Exception {
		Path labs = Files.createDirectories(UserTempDirectory.directory().resolve("labs"));
		Path lab = Files.createTempDirectory(labs, "lab-");
		Files.write(lab.resolve("processes"), List.of("1 0", this.left.pid() + " " + start));
		return lab;
	}

	@Test
	void theNextLabEndsThem() throws Exception {
		Path lab = record(this.left.info().startInstant().orElseThrow().toEpochMilli());
		ProcessRegistry.open().close();
		assertThat(this.left.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(lab).doesNotExist();
	}

	/** The other lab was killed while it wrote, or its disk was full. */
	@Test
	void aLineThatWasNotWrittenToItsEndKeepsNobodyFromCleaningUp() throws Exception {
		Path lab = record(this.left.info().startInstant().orElseThrow().toEpochMilli());
		Path processes = lab.resolve("processes");
		try {
			Files.writeString(processes, "12\n\n7 x\n99999999999999999999 1", StandardOpenOption.APPEND);
			ProcessRegistry.open().close();
			assertThat(this.left.waitFor(10, TimeUnit.SECONDS)).isTrue();
			assertThat(lab).doesNotExist();
		}
		finally {
			// Otherwise it would be in the way of the labs of other programs.
			Files.deleteIfExists(processes);
		}
	}

	@Test
	void anotherProcessWithTheSameIdIsNotEnded() throws Exception {
		Path lab = record(1000);
		ProcessRegistry.open().close();
		assertThat(this.left.isAlive()).isTrue();
		assertThat(lab).doesNotExist();
	}

	/** A lock on a file is a program's, so the other lab is a program of its own. */
	@Test
	void theDirectoryOfALabWhoseProcessIsNotSeenStaysWhileItRuns() throws Exception {
		Process other = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), OtherLab.class.getName())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		Path lab;
		try (BufferedReader told = other.inputReader()) {
			lab = Path.of(told.readLine());
			Files.write(lab.resolve("processes"), List.of("1 0"));
			ProcessRegistry.open().close();
			assertThat(lab).exists();
		}
		finally {
			other.destroyForcibly();
		}
		assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
		ProcessRegistry.open().close();
		assertThat(lab).doesNotExist();
	}

	@Test
	void aDirectoryThatIsGoneIsNamed() throws Exception {
		try (ProcessRegistry lab = ProcessRegistry.open()) {
			Files.walk(lab.directory()).sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> lab.record(this.left.pid()))
				.withMessageContainingAll("Process " + this.left.pid(), lab.directory().toString(),
						"NoSuchFileException");
		}
	}

	@Test
	void theProcessesOfALabThatIsKilledEndAtOnce() throws Exception {
		Process other = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), OtherLab.class.getName(), String.valueOf(this.left.pid()))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader told = other.inputReader()) {
			assertThat(told.readLine()).isNotNull();
			assertThat(this.left.isAlive()).isTrue();
		}
		finally {
			other.destroyForcibly();
		}
		assertThat(this.left.waitFor(10, TimeUnit.SECONDS)).isTrue();
		ProcessRegistry.open().close();
	}

	/**
	 * Opens a registry, records the process that it is told of, tells its directory and
	 * waits until its input ends.
	 */
	static final class OtherLab {

		private OtherLab() {
		}

		public static void main(String[] args) throws Exception {
			ProcessRegistry registry = ProcessRegistry.open();
			for (String pid : args) {
				registry.record(Long.parseLong(pid));
			}
			System.out.println(registry.directory());
			System.in.read();
		}

	}

	@Test
	void processesOfARunningLabAreNotEnded() {
		try (ProcessRegistry running = ProcessRegistry.open()) {
			running.record(this.left.pid());
			ProcessRegistry.open().close();
			assertThat(this.left.isAlive()).isTrue();
			assertThat(running.directory()).exists();
		}
	}

}
