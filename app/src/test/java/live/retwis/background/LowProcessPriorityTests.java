package live.retwis.background;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Linux tells the priority and the cores of a process and of each of its threads. */
class LowProcessPriorityTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@Test
	void aProcessGetsTheFirstCoreThatItMayUse() throws IOException {
		String own = cores(Path.of("/proc/self"));
		String first = own.replaceAll("[,-].*", "");
		String last = own.replaceAll(".*[,-]", "");
		assertThatItGets(first, "sleep", "60");
		assertThatItGets(last, "taskset", "-c", last, "sleep", "60");
	}

	private static void assertThatItGets(String core, String... command) throws IOException {
		Process process = new ProcessBuilder(command).start();
		try {
			Path facts = Path.of("/proc/" + process.pid());
			Awaitility.await().atMost(SOON).until(() -> Files.readString(facts.resolve("comm")).startsWith("sleep"));
			LowProcessPriority.give(process.pid());
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(cores(facts) + " " + niceness(facts)).isEqualTo(core + " 10"));
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void threadsGetALowPriorityByTheirNameAndOthersKeepTheirs() throws IOException {
		CountDownLatch end = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "a-thread-with-a-long-name");
		thread.start();
		try {
			int usual = niceness(Path.of("/proc/self"));
			LowProcessPriority.giveToThreads(thread.getName());
			Awaitility.await()
				.atMost(SOON)
				.until(() -> tasks("a-thread-with-a").stream().anyMatch((task) -> niceness(task) == 10));
			assertThat(niceness(Path.of("/proc/self"))).isEqualTo(usual);
		}
		finally {
			end.countDown();
		}
	}

	private static List<Path> tasks(String name) throws IOException {
		try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
			return tasks.filter((task) -> comm(task).equals(name)).toList();
		}
	}

	/** Threads come and go. */
	private static String comm(Path task) {
		try {
			return Files.readString(task.resolve("comm")).strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

	/** The name of the program is in parentheses and may have spaces. */
	private static int niceness(Path facts) {
		try {
			String stat = Files.readString(facts.resolve("stat"));
			return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String cores(Path facts) throws IOException {
		return Files.readAllLines(facts.resolve("status"))
			.stream()
			.filter((line) -> line.startsWith("Cpus_allowed_list:"))
			.map((line) -> line.replaceAll(".*\\s", ""))
			.findFirst()
			.orElseThrow();
	}

}
