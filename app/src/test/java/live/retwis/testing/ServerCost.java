package live.retwis.testing;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;

/**
 * The work of Redis servers by their own counters: commands of clients and of scripts.
 *
 * @param calls calls of each command
 * @param time CPU time of the thread that runs commands
 */
public record ServerCost(Map<String, Long> calls, Duration time) {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

	private static final Pattern SECONDS = Pattern.compile("used_cpu_(?:sys|user)_main_thread:([\\d.]+)");

	/**
	 * Measures everything that the servers do while an action runs, including the work of
	 * other clients.
	 */
	public static ServerCost of(List<RedisProcess> servers, Runnable deed) {
		servers.forEach((server) -> NodeConnections.ask(server, RedisCommands::configResetstat));
		double before = seconds(servers);
		deed.run();
		double seconds = seconds(servers) - before;
		Map<String, Long> calls = new HashMap<>();
		servers.forEach((server) -> found(CALLS, server, "commandstats")
			.forEach((command) -> calls.merge(command.group(1), Long.parseLong(command.group(2)), Long::sum)));
		return new ServerCost(calls, Duration.ofNanos((long) (seconds * 1e9)));
	}

	private static double seconds(List<RedisProcess> servers) {
		return servers.stream()
			.flatMap((server) -> found(SECONDS, server, "cpu"))
			.mapToDouble((time) -> Double.parseDouble(time.group(1)))
			.sum();
	}

	private static Stream<MatchResult> found(Pattern pattern, RedisProcess server, String section) {
		return pattern.matcher(NodeConnections.ask(server, (node) -> node.info(section))).results();
	}

	/** How often the command was called. */
	public long calls(String command) {
		return this.calls.getOrDefault(command, 0L);
	}

	/** The number of calls of all commands. */
	public long all() {
		return this.calls.values().stream().mapToLong(Long::longValue).sum();
	}

}
