package live.retwis.locks.nodes;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A redis-server that has been seen to run on this machine.
 *
 * @param path the executable
 * @param version as it prints it, such as 7.0.15
 */
record RedisBinary(Path path, String version) {

	private static final Pattern VERSION = Pattern.compile("v=((\\d+)\\.(\\d+)\\.\\d+)");

	private static final String ADVICE = "Install redis-server 6.2 or newer (Debian, Ubuntu: apt-get install redis-server; "
			+ "macOS: brew install redis).";

	/**
	 * Finds a server: the one on the PATH, else the one in the jar.
	 * @return a server of 6.2 or newer that runs here
	 * @throws RedisStartException says what is wrong with each of them, and what to do
	 */
	static RedisBinary find() {
		return find(System.getenv().getOrDefault("PATH", ""),
				() -> BundledRedis.extract(UserTempDirectory.directory()));
	}

	/**
	 * The server in the jar.
	 * @throws RedisStartException when it does not run here
	 */
	static RedisBinary bundled() {
		return find("", () -> BundledRedis.extract(UserTempDirectory.directory()));
	}

	static RedisBinary find(String searchPath, Callable<Path> bundled) {
		List<String> problems = new ArrayList<>();
		Callable<Path> onPath = () -> onPath(searchPath, "redis-server")
			.orElseThrow(() -> new IOException("no redis-server"));
		for (Callable<Path> candidate : List.of(onPath, bundled)) {
			try {
				return check(candidate.call());
			}
			catch (Exception ex) {
				problems.add((ex instanceof FileSystemException) ? ex.toString() : String.valueOf(ex.getMessage()));
			}
		}
		throw new RedisStartException("No redis-server runs on this machine.\n- On the PATH: " + problems.get(0)
				+ "\n- In the jar: " + problems.get(1) + "\n" + ADVICE);
	}

	/** The first executable of that name in the directories of a PATH. */
	static Optional<Path> onPath(String searchPath, String name) {
		return Stream.of(searchPath.split(File.pathSeparator))
			.filter((entry) -> !entry.isBlank())
			.map((entry) -> Path.of(entry, name))
			.filter(Files::isExecutable)
			.findFirst();
	}

	private static RedisBinary check(Path path) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true).start();
		process.getOutputStream().close();
		if (!process.waitFor(10, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new IOException(path + " --version did not end within 10 s");
		}
		String printed = new String(process.getInputStream().readAllBytes()).strip();
		Matcher version = VERSION.matcher(printed);
		if (process.exitValue() != 0 || !version.find()) {
			throw new IOException(
					path + " does not run (exit " + process.exitValue() + (printed.isEmpty() ? ")" : "): " + printed));
		}
		int major = Integer.parseInt(version.group(2));
		if (major < 6 || major == 6 && Integer.parseInt(version.group(3)) < 2) {
			throw new IOException(path + " is " + version.group(1) + ", too old");
		}
		return new RedisBinary(path.toAbsolutePath(), version.group(1));
	}

	/**
	 * Whether this server reads an append-only file in parts. Redis 7 writes it so. An
	 * older server does not look for the parts and would start empty.
	 */
	boolean readsAppendOnlyParts() {
		return !this.version.startsWith("6.");
	}

	@Override
	public String toString() {
		return this.path + " " + this.version;
	}

}
