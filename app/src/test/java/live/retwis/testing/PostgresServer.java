package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.node.SettableNodeClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server of the distribution, with a directory and a port of its own. Its
 * programs refuse to run as root, so as root they run as the user {@code postgres}.
 */
public final class PostgresServer implements TestPostgres {

	private static final Logger log = LoggerFactory.getLogger(PostgresServer.class);

	private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

	private static final long BOUND_SECONDS = 60;

	private final Path programs;

	private final Path directory;

	private final int port;

	private final String options;

	private final Map<String, String> environment;

	private final List<Path> mounted = new ArrayList<>();

	private PostgresServer(Path programs, Path directory, int port, Map<String, String> environment,
			String... settings) {
		this.programs = programs;
		this.directory = directory;
		this.port = port;
		this.environment = environment;
		this.options = Stream
			.concat(Stream.of("-p " + port, "-h 127.0.0.1", "-k " + directory, "-c fsync=off",
					"-c shared_buffers=128MB"), Stream.of(settings).map((setting) -> "-c " + setting))
			.collect(Collectors.joining(" "));
	}

	/** Whether the machine has the programs. */
	public static boolean isInstalled() {
		return programs().isPresent();
	}

	private static Optional<Path> programs() {
		if (!Files.isDirectory(VERSIONS)) {
			return Optional.empty();
		}
		try (Stream<Path> versions = Files.list(VERSIONS)) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((bin) -> Files.isExecutable(bin.resolve("initdb")))
				.max(Comparator.comparing(Path::toString));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Starts a server with an empty database. */
	public static PostgresServer start(String... settings) {
		return start(Map.of(), settings);
	}

	/**
	 * The same with another clock.
	 * @param clock the user {@code postgres} must be able to read its files
	 */
	public static PostgresServer start(SettableNodeClock clock) {
		return start(clock.environment());
	}

	private static PostgresServer start(Map<String, String> environment, String... settings) {
		try {
			Path programs = programs().orElseThrow();
			Path directory = Files.createTempDirectory("retwis-postgres");
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
			PostgresServer server = new PostgresServer(programs, directory, freePort(), environment, settings);
			server.run("initdb", "-D", server.data(), "-U", "retwis", "--auth=trust", "-E", "UTF8", "--no-sync");
			server.restart();
			log.info("The archive of these tests is PostgreSQL, a process of {}, port {}", programs, server.port);
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private String data() {
		return this.directory.resolve("data").toString();
	}

	public int port() {
		return this.port;
	}

	@Override
	public List<String> settings() {
		return List.of("--retwis.archive.url=r2dbc:postgresql://127.0.0.1:" + this.port + "/postgres",
				"--retwis.archive.username=retwis", "--retwis.archive.password=retwis");
	}

	/** Stops it at once, as SIGKILL would leave it. */
	public void kill() {
		run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
	}

	/**
	 * Stops it as an operator does: connections end, and what was committed is on disk.
	 */
	public void stop() {
		run("pg_ctl", "-D", data(), "-m", "fast", "-w", "stop");
	}

	/** Starts it again after {@link #kill()} or {@link #stop()}. */
	public void restart() {
		run("pg_ctl", "-D", data(), "-o", this.options, "-l", this.directory.resolve("log").toString(), "-w", "start");
	}

	/** SIGSTOP to the server and to all of its connections. */
	public void pause() {
		signal("-STOP");
	}

	/** SIGCONT. */
	public void resume() {
		signal("-CONT");
	}

	/** SIGSTOP to the present connections. The server accepts new ones. */
	public void pauseConnections() {
		sql("select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")
			.forEach((pid) -> execute(List.of("kill", "-STOP", pid)));
	}

	/**
	 * The server comes first, so that it starts no further process meanwhile. Some may
	 * have ended.
	 */
	private void signal(String name) {
		ProcessHandle.of(pid()).ifPresent((server) -> {
			signal(name, server);
			server.descendants().forEach((process) -> signal(name, process));
		});
	}

	private static void signal(String name, ProcessHandle process) {
		try {
			execute(List.of("kill", name, Long.toString(process.pid())));
		}
		catch (IllegalStateException ex) {
			if (process.isAlive()) {
				throw ex;
			}
		}
	}

	private long pid() {
		try {
			return Long.parseLong(Files.readAllLines(Path.of(data(), "postmaster.pid")).get(0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public List<String> sql(String statements) {
		return SqlConsole.run("127.0.0.1", this.port, statements);
	}

	/**
	 * Makes a tablespace on a small file system of its own.
	 * @return false where none can be mounted
	 */
	public boolean makeTablespace(String name, int megabytes) {
		Path place = this.directory.resolve(name);
		try {
			Files.createDirectory(place);
			execute(List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", place.toString()));
			this.mounted.add(place);
			execute(List.of("chown", "postgres", place.toString()));
		}
		catch (IOException | UncheckedIOException | IllegalStateException ex) {
			log.info("No small file system can be mounted: {}", ex.getMessage());
			return false;
		}
		sql("create tablespace " + name + " location '" + place + "'");
		return true;
	}

	@Override
	public String log() {
		try {
			return Files.readString(this.directory.resolve("log"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Runs a script as an administrator. It may have commands of {@code psql}. */
	public void script(String script) {
		try {
			Path file = Files.writeString(this.directory.resolve("script.sql"), script);
			run("psql", "-h", "127.0.0.1", "-p", Integer.toString(this.port), "-U", "retwis", "-d", "postgres", "-v",
					"ON_ERROR_STOP=1", "-q", "-f", file.toString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Writes a backup of the database, in a directory that this server's end removes. */
	public Path dump() {
		Path file = this.directory.resolve("backup");
		client("pg_dump", "-Fc", "-f", file.toString(), "postgres");
		return file;
	}

	/** Restores a backup of the database of this server or of another one. */
	public void restore(Path backup) {
		client("pg_restore", "--clean", "--if-exists", "-d", "postgres", backup.toString());
	}

	private void client(String program, String... arguments) {
		run(program,
				Stream
					.concat(Stream.of("-h", "127.0.0.1", "-p", Integer.toString(this.port), "-U", "retwis"),
							Stream.of(arguments))
					.toArray(String[]::new));
	}

	private String run(String program, String... arguments) {
		List<String> command = new ArrayList<>();
		if ("root".equals(System.getProperty("user.name"))) {
			command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
		}
		command.add(this.programs.resolve(program).toString());
		command.addAll(List.of(arguments));
		return execute(command, this.environment);
	}

	private static String execute(List<String> command) {
		return execute(command, Map.of());
	}

	private static String execute(List<String> command, Map<String, String> environment) {
		try {
			Path output = Files.createTempFile("retwis-postgres", ".out");
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.directory(Path.of("/tmp").toFile());
			builder.environment().putAll(environment);
			Process process = builder.start();
			if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
				process.destroyForcibly();
				throw new IllegalStateException(command + " takes too long");
			}
			String text = Files.readString(output);
			Files.delete(output);
			if (process.exitValue() != 0) {
				throw new IllegalStateException(command + " failed: " + text);
			}
			return text;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		if (Files.exists(Path.of(data(), "postmaster.pid"))) {
			run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
		}
		this.mounted.forEach((place) -> execute(List.of("umount", place.toString())));
		execute(List.of("rm", "-rf", this.directory.toString()));
	}

}
