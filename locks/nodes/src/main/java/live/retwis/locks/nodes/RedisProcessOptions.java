package live.retwis.locks.nodes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

/**
 * How a {@link RedisProcess} is to run. Nothing is persisted unless a directive says so.
 *
 * @param port on 127.0.0.1; 0 for any free one
 * @param directory where the server keeps its files; made unless it is there. Null for a
 * temporary one that is removed with the process
 * @param directives lines as in {@code redis.conf}, such as {@code appendonly yes}; later
 * ones win
 * @param environment added to that of this program, such as a shim for the clock
 * @param bundled whether to run the server in the jar, the oldest that this project
 * supports; else the one on the PATH, if there is one
 * @param launched is told the process id of each start of a server that the end of this
 * program leaves running; null for one that ends with it. See {@link #withEndByCaller}
 */
public record RedisProcessOptions(int port, @Nullable Path directory, List<String> directives,
		Map<String, String> environment, boolean bundled, @Nullable LongConsumer launched) {

	/** A free port, a temporary directory, and nothing persisted. */
	public static final RedisProcessOptions DEFAULT = new RedisProcessOptions(0, null, List.of(), Map.of(), false,
			null);

	public RedisProcessOptions {
		directives = List.copyOf(directives);
		environment = Map.copyOf(environment);
	}

	public RedisProcessOptions withPort(int port) {
		return new RedisProcessOptions(port, this.directory, this.directives, this.environment, this.bundled,
				this.launched);
	}

	public RedisProcessOptions withDirectory(Path directory) {
		return new RedisProcessOptions(this.port, directory, this.directives, this.environment, this.bundled,
				this.launched);
	}

	public RedisProcessOptions with(String... directives) {
		List<String> all = new ArrayList<>(this.directives);
		all.addAll(List.of(directives));
		return new RedisProcessOptions(this.port, this.directory, all, this.environment, this.bundled, this.launched);
	}

	public RedisProcessOptions withEnvironment(String name, String value) {
		Map<String, String> all = new HashMap<>(this.environment);
		all.put(name, value);
		return new RedisProcessOptions(this.port, this.directory, this.directives, all, this.bundled, this.launched);
	}

	/** The server in the jar, whatever is on the PATH. */
	public RedisProcessOptions withBundledServer() {
		return new RedisProcessOptions(this.port, this.directory, this.directives, this.environment, true,
				this.launched);
	}

	/**
	 * The caller ends the server, at a moment of its choice. A Ctrl-C in the terminal of
	 * this program does not reach it, where the system has {@code setsid}, and the end of
	 * this program does not end it.
	 * @param launched is told the process id of each start at once, before the server is
	 * ready
	 */
	public RedisProcessOptions withEndByCaller(LongConsumer launched) {
		return new RedisProcessOptions(this.port, this.directory, this.directives, this.environment, this.bundled,
				launched);
	}

	/**
	 * The password that clients need, if a directive sets one.
	 */
	@Nullable String password() {
		return this.directives.stream()
			.filter((directive) -> directive.startsWith("requirepass "))
			.map((directive) -> directive.substring("requirepass ".length()).strip())
			.reduce((former, latter) -> latter)
			.orElse(null);
	}

	/**
	 * Whether the directives make the server a sentinel, which watches over other servers
	 * and keeps no data.
	 */
	boolean isSentinel() {
		return this.directives.stream().anyMatch((directive) -> directive.startsWith("sentinel "));
	}

	/**
	 * The command line of a server. The server finds its config file in the directory
	 * where it is started.
	 */
	List<String> command(Path binary) {
		List<String> command = new ArrayList<>((this.launched != null) ? SetsidPrefix.prefix() : List.of());
		command.addAll(List.of(binary.toString(), "redis.conf"));
		if (isSentinel()) {
			command.add("--sentinel");
		}
		return command;
	}

	/**
	 * The config file. Paths are relative to the directory where the server is started.
	 */
	String config(int port) {
		return "bind 127.0.0.1\nport " + port + "\nsave \"\"\nappendonly no\n" + String.join("\n", this.directives)
				+ "\n";
	}

}
