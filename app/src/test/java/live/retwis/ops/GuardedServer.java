package live.retwis.ops;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.Rights;

/**
 * A server with two users: one with the rights of the site, and an administrator whom
 * only the test uses.
 */
final class GuardedServer implements AutoCloseable {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=[1-9]");

	private final RedisProcess process;

	private final RedisClient client;

	private final RedisCommands<String, String> admin;

	private GuardedServer(RedisProcess process) {
		this.process = process;
		this.client = RedisClient.create();
		RedisCommands<String, String> first = this.client.connect(RedisURI.create("127.0.0.1", process.port())).sync();
		Rights.setUser(first, "admin", List.of("~*", "&*", "+@all"));
		this.admin = this.client
			.connect(RedisURI.Builder.redis("127.0.0.1", process.port())
				.withAuthentication("admin", Rights.PASSWORD)
				.build())
			.sync();
	}

	/** Starts a server whose user has the rules. */
	static GuardedServer of(RedisProcess process, List<String> rules) {
		GuardedServer server = new GuardedServer(process);
		Rights.setUser(server.admin, Rights.USER, rules);
		Rights.setUser(server.admin, "default", List.of("off"));
		server.admin.configResetstat();
		server.admin.aclLogReset();
		return server;
	}

	int port() {
		return this.process.port();
	}

	RedisCommands<String, String> admin() {
		return this.admin;
	}

	/** The address for the site's user. */
	RedisURI user() {
		return RedisURI.Builder.redis("127.0.0.1", port()).withAuthentication(Rights.USER, Rights.PASSWORD).build();
	}

	/**
	 * The commands that the server received, by the names of their rights. Commands of
	 * scripts are included.
	 */
	Set<String> commands() {
		Set<String> commands = new TreeSet<>();
		Matcher matcher = CALLS.matcher(this.admin.info("commandstats"));
		while (matcher.find()) {
			commands.add(matcher.group(1));
		}
		return commands;
	}

	/** The commands that the server refused. */
	List<String> refused() {
		return this.admin.aclLog()
			.stream()
			.filter((entry) -> Rights.USER.equals(entry.get("username")))
			.map((entry) -> entry.get("reason") + " " + entry.get("object"))
			.toList();
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.process.close();
	}

}
