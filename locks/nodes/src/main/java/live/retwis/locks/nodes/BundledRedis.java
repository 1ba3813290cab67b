package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * The redis-server binary that the jar carries for machines that have none. It is Redis
 * 6.2 from {@code embedded-redis}.
 */
final class BundledRedis {

	private BundledRedis() {
	}

	/**
	 * Puts the binary for this machine into a directory. Does so once: later calls find
	 * it there, also those of other processes.
	 * @param directory where to put it
	 * @return the executable file
	 * @throws IOException when there is none for this machine, or it cannot be written
	 */
	static Path extract(Path directory) throws IOException {
		String name = nameFor(System.getProperty("os.name"), System.getProperty("os.arch"));
		URL resource = BundledRedis.class.getClassLoader().getResource(name);
		if (resource == null) {
			throw new IOException(name + " is not on the class path");
		}
		URLConnection connection = resource.openConnection();
		Path target = directory.resolve(name);
		try (InputStream binary = connection.getInputStream()) {
			if (!isComplete(target, connection.getContentLengthLong())) {
				write(binary, target);
			}
		}
		return target;
	}

	private static boolean isComplete(Path target, long size) throws IOException {
		return Files.isExecutable(target) && Files.size(target) == size;
	}

	private static void write(InputStream binary, Path target) throws IOException {
		Path part = Files.createTempFile(target.getParent(), "redis-server", ".part");
		try {
			Files.copy(binary, part, StandardCopyOption.REPLACE_EXISTING);
			Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
			Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(part);
		}
	}

	/**
	 * The name of the resource for a machine. For Windows there is only a Redis 5, which
	 * is too old.
	 */
	static String nameFor(String os, String arch) throws IOException {
		String system = os.toLowerCase(Locale.ROOT);
		boolean arm = arch.equals("aarch64") || arch.equals("arm64");
		boolean amd = arch.equals("amd64") || arch.equals("x86_64");
		if (system.startsWith("linux") && (arm || amd)) {
			return arm ? "redis-server-6.2.7-linux-arm64" : "redis-server-6.2.6-v5-linux-amd64";
		}
		if (system.startsWith("linux") && (arch.equals("x86") || arch.equals("i386"))) {
			return "redis-server-6.2.7-linux-386";
		}
		if (system.startsWith("mac") && (arm || amd)) {
			return arm ? "redis-server-6.2.6-v5-darwin-arm64" : "redis-server-6.2.6-v5-darwin-amd64";
		}
		throw new IOException("none is bundled for " + os + " on " + arch
				+ (system.startsWith("windows") ? " (WSL 2 runs one)" : ""));
	}

}
