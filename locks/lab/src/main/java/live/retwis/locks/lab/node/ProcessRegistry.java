package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.ProcessProbe;
import live.retwis.locks.nodes.UserTempDirectory;

/**
 * The work directory of a lab, and its processes. When the lab is killed, a
 * {@link ProcessWatchdog} kills them at once. The directory has a record of them, too:
 * process id and start time, one in each line, the lab itself first. So if the watchdog
 * was killed as well, the next lab ends them. It also removes the directory. A process
 * that has the same id but began at another time is left alone.
 * <p>
 * A lab whose {@link LivenessLockFile} is held lives, even if its process is not seen
 * here, for example because it runs in a container that shares this directory.
 */
public final class ProcessRegistry implements AutoCloseable {

	private static final String RECORD = "processes";

	/** A process in the record: its id, and its start in ms. */
	private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18})");

	private static final Duration END = Duration.ofSeconds(10);

	/**
	 * The system tells the start of a process in ticks since the boot, so it is not
	 * exact.
	 */
	private static final Duration TICKS = Duration.ofSeconds(2);

	private final Path directory;

	private final LongConsumer started;

	private final ProcessWatchdog watchdog;

	private ProcessRegistry(Path directory, LongConsumer started) throws IOException {
		this.directory = directory;
		this.started = started;
		this.watchdog = new ProcessWatchdog(directory.toRealPath());
	}

	/** Like {@link #open(LongConsumer)}, and nobody is told of the processes. */
	public static ProcessRegistry open() {
		return open((pid) -> {
		});
	}

	/**
	 * Ends what dead labs of this user left, and makes a directory for this lab.
	 * @param started is told the id of each process of this lab when it works
	 */
	public static ProcessRegistry open(LongConsumer started) {
		try {
			Path labs = labs();
			return alone(labs, () -> {
				removeDead(labs);
				ProcessRegistry processRegistry = new ProcessRegistry(Files.createTempDirectory(labs, "lab-"), started);
				LivenessLockFile.hold(processRegistry.directory);
				processRegistry.write(ProcessHandle.current().pid());
				return processRegistry;
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No directory for the lab", ex);
		}
	}

	private static Path labs() throws IOException {
		return Files.createDirectories(UserTempDirectory.directory().resolve("labs"));
	}

	/**
	 * Runs work while no other lab does, in this program or in another one. Several labs
	 * may begin and end at once.
	 */
	private static <T> T alone(Path labs, Work<T> work) throws IOException {
		synchronized (ProcessRegistry.class) {
			try (FileChannel file = FileChannel.open(labs.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE); FileLock lock = file.lock()) {
				return work.run();
			}
		}
	}

	@FunctionalInterface
	private interface Work<T> {

		T run() throws IOException;

	}

	private static void removeDead(Path labs) throws IOException {
		try (Stream<Path> entries = Files.list(labs)) {
			for (Path lab : entries.filter((entry) -> Files.exists(entry.resolve(RECORD))).toList()) {
				List<String> processes = Files.readAllLines(lab.resolve(RECORD));
				if (!processes.isEmpty() && find(processes.get(0)).isEmpty() && !LivenessLockFile.isHeld(lab)) {
					processes.forEach((line) -> find(line).ifPresent(ProcessRegistry::end));
					remove(lab);
				}
			}
		}
	}

	/** Empty also for a line that was not written to its end. */
	private static Optional<ProcessHandle> find(String line) {
		Matcher fields = LINE.matcher(line);
		if (!fields.matches()) {
			return Optional.empty();
		}
		Instant began = Instant.ofEpochMilli(Long.parseLong(fields.group(2)));
		return ProcessHandle.of(Long.parseLong(fields.group(1)))
			.filter((process) -> !ProcessProbe.isGone(process.pid()))
			.filter((process) -> process.info()
				.startInstant()
				.filter((start) -> Duration.between(start, began).abs().compareTo(TICKS) < 0)
				.isPresent());
	}

	private static void end(ProcessHandle process) {
		process.destroyForcibly();
		if (!Poll.until(END, () -> ProcessProbe.isGone(process.pid()))) {
			throw new IllegalStateException("Process " + process.pid() + " of an earlier lab outlived SIGKILL");
		}
	}

	private static void remove(Path directory) throws IOException {
		if (!Files.exists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
	}

	public Path directory() {
		return this.directory;
	}

	/** Records a process that was just started and works already. */
	public void record(long pid) {
		recordStarting(pid);
		ready(pid);
	}

	/** Records a process that was just started and needs some time until it works. */
	public void recordStarting(long pid) {
		write(pid);
		this.watchdog.watch(pid);
	}

	/**
	 * Tells that a process works now. Whoever is told may give it less of the processor.
	 * With that it might not have got ready in time on a busy machine.
	 */
	public void ready(long pid) {
		this.started.accept(pid);
	}

	private synchronized void write(long pid) {
		String start = ProcessHandle.of(pid)
			.flatMap((process) -> process.info().startInstant())
			.map((instant) -> String.valueOf(instant.toEpochMilli()))
			.orElse("0");
		try {
			Files.writeString(this.directory.resolve(RECORD), pid + " " + start + "\n", StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(
					"Process " + pid + " cannot be recorded in the directory " + this.directory + ": " + ex, ex);
		}
	}

	/** Ends all recorded processes but this one. */
	public void endAll() {
		try {
			Path file = this.directory.resolve(RECORD);
			List<String> processes = Files.exists(file) ? Files.readAllLines(file) : List.of();
			processes.stream().skip(1).forEach((line) -> find(line).ifPresent(ProcessRegistry::end));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The lab's processes are not known", ex);
		}
	}

	/** Kills what has not ended yet, and removes the directory. */
	@Override
	public void close() {
		this.watchdog.close();
		endAll();
		try {
			alone(labs(), () -> {
				remove(this.directory);
				LivenessLockFile.release(this.directory);
				return this;
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The lab's directory stays", ex);
		}
	}

}
