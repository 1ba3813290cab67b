package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group of Linux: limits the memory of the programs in it, as a container does.
 * It counts their processes, their files in the page cache and their sockets. A program
 * that needs more is killed.
 */
final class MemoryCgroup implements AutoCloseable {

	private static final Path MOUNTED = Path.of("/sys/fs/cgroup");

	private final Path directory;

	private MemoryCgroup(Path directory) {
		this.directory = directory;
	}

	/** Makes a group; the user must be root. */
	static MemoryCgroup of(int megabytes) throws IOException {
		Path ownMount = MOUNTED.resolve("memory");
		boolean first = Files.isDirectory(ownMount);
		Path directory = (first ? ownMount : MOUNTED).resolve("retwis-bench-" + ProcessHandle.current().pid());
		Files.createDirectory(directory);
		Files.writeString(directory.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
				Long.toString(megabytes * 1024L * 1024));
		return new MemoryCgroup(directory);
	}

	/** The beginning of a command that starts a program in this group. */
	List<String> launcher() {
		return List.of("sh", "-c", "echo $$ > " + this.directory.resolve("cgroup.procs") + " && exec \"$@\"", "sh");
	}

	/** Removes the group, when no program is in it any more. */
	@Override
	public void close() throws IOException {
		Files.delete(this.directory);
	}

}
