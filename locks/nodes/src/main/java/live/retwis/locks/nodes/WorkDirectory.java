package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its files.
 *
 * @param path absolute
 * @param temporary whether it is removed with the server
 */
record WorkDirectory(Path path, boolean temporary) {

	/** The given directory, made unless it is there. A temporary one if none is given. */
	static WorkDirectory of(@Nullable Path given) {
		try {
			return (given == null) ? new WorkDirectory(Files.createTempDirectory("redis-"), true)
					: new WorkDirectory(Files.createDirectories(given).toAbsolutePath(), false);
		}
		catch (IOException ex) {
			throw new RedisStartException("No directory for redis-server: " + ex, ex);
		}
	}

	/**
	 * Removes the directory if it is temporary and still there. No server may run in it.
	 */
	void removeIfTemporary() {
		if (this.temporary && Files.exists(this.path)) {
			remove((file) -> true);
		}
	}

	/** Removes everything in the directory. No server may run in it. */
	void clear() {
		remove((file) -> !file.equals(this.path));
	}

	private void remove(Predicate<Path> which) {
		try (Stream<Path> files = Files.walk(this.path)) {
			for (Path file : files.filter(which).sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
