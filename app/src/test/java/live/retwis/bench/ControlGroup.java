package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A control group of Linux: limits what the programs in it may use, as a container does.
 * The user must be root.
 */
final class ControlGroup implements AutoCloseable {

	private static final Path MOUNTED = Path.of("/sys/fs/cgroup");

	/** Microseconds in which a program may use its share, and stands still then. */
	private static final long PERIOD = 50_000;

	private final Path parent;

	private final Path directory;

	private ControlGroup(Path parent) throws IOException {
		this.parent = parent;
		this.directory = Files.createDirectory(parent.resolve("retwis-bench-" + ProcessHandle.current().pid()));
	}

	/**
	 * Limits the memory of processes, their files in the page cache and their sockets. A
	 * program that needs more is killed.
	 */
	static ControlGroup ofMemory(int megabytes) throws IOException {
		ControlGroup group = new ControlGroup(parent("memory"));
		group.write(group.isFirstVersion() ? "memory.limit_in_bytes" : "memory.max",
				Long.toString(megabytes * 1024L * 1024));
		return group;
	}

	/**
	 * Limits the processor time.
	 * @param share of one core, at least 0.02
	 */
	static ControlGroup ofCpu(double share) throws IOException {
		ControlGroup group = new ControlGroup(parent("cpu"));
		long quota = Math.round(PERIOD * share);
		if (group.isFirstVersion()) {
			group.write("cpu.cfs_period_us", Long.toString(PERIOD));
			group.write("cpu.cfs_quota_us", Long.toString(quota));
		}
		else {
			group.write("cpu.max", quota + " " + PERIOD);
		}
		return group;
	}

	/** The first version has a mount for each kind of limit. */
	private static Path parent(String kind) {
		Path ownMount = MOUNTED.resolve(kind);
		return Files.isDirectory(ownMount) ? ownMount : MOUNTED;
	}

	private boolean isFirstVersion() {
		return !this.parent.equals(MOUNTED);
	}

	private void write(String file, String value) throws IOException {
		Files.writeString(this.directory.resolve(file), value);
	}

	/** The beginning of a command that starts a program in this group. */
	List<String> launcher() {
		return List.of("sh", "-c", "echo $$ > " + this.directory.resolve("cgroup.procs") + " && exec \"$@\"", "sh");
	}

	/** Takes a running program into this group. */
	void add(long pid) throws IOException {
		write("cgroup.procs", Long.toString(pid));
	}

	/** Takes a program out of this group. */
	void release(long pid) throws IOException {
		Files.writeString(this.parent.resolve("cgroup.procs"), Long.toString(pid));
	}

	/**
	 * How many of all periods until now ended with a program that stood still, because it
	 * had used its share of processor time.
	 */
	double standstill() throws IOException {
		return count("nr_throttled") / count("nr_periods");
	}

	private double count(String name) throws IOException {
		try (Stream<String> lines = Files.lines(this.directory.resolve("cpu.stat"))) {
			return lines.filter((line) -> line.startsWith(name + " "))
				.mapToDouble((line) -> Double.parseDouble(line.substring(name.length() + 1)))
				.sum();
		}
	}

	/** Removes the group, when no program is in it any more. */
	@Override
	public void close() throws IOException {
		Files.delete(this.directory);
	}

}
