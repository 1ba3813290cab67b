package live.retwis.locks.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import org.awaitility.Awaitility;

/**
 * Five real nodes.
 */
final class FiveServers implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 5000;

	/** Commands that clients and this class send in addition to the locks' commands. */
	private static final Set<String> NOT_COUNTED = Set.of("ping", "info", "config|resetstat", "flushall", "quit");

	private final List<RedisProcess> servers = Stream.generate(() -> RedisProcessOptions.DEFAULT)
		.limit(5)
		.map(RedisProcess::start)
		.toList();

	/** Proxies on the way to nodes that are far away, by the number of the node. */
	private final Map<Integer, FaultProxy> ways = new HashMap<>();

	/**
	 * Puts a node far away.
	 * @param roundTrip how much longer a command and its reply take
	 */
	void moveAway(int number, Duration roundTrip) {
		FaultProxy way = FaultProxy.to("127.0.0.1", node(number).port());
		way.delay(roundTrip);
		this.ways.put(number, way);
	}

	List<String> uris() {
		return IntStream.range(0, this.servers.size())
			.mapToObj((number) -> this.ways.containsKey(number) ? "redis://127.0.0.1:" + this.ways.get(number).port()
					: node(number).uri())
			.toList();
	}

	/** A node; any number is mapped to one of the five. */
	RedisProcess node(int number) {
		return this.servers.get(number % this.servers.size());
	}

	/** The name of a node in the outcomes of a lease. */
	String name(int number) {
		return "127.0.0.1:" + node(number).port();
	}

	/** Pauses a node, and waits until it has stopped. */
	void pause(int number) throws IOException {
		node(number).pause();
		String state = Files.readString(Path.of("/proc", Long.toString(node(number).pid()), "stat"));
		if (!state.contains(") T ")) {
			throw new IllegalStateException("Does not stand still: " + state);
		}
	}

	/**
	 * Waits until no key is left. A release ends when a majority has done it, and the
	 * other nodes follow.
	 */
	void awaitFree() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> this.servers.stream().allMatch((server) -> ask(server, "DBSIZE").startsWith(":0")));
	}

	void empty() {
		this.servers.forEach((server) -> ask(server, "FLUSHALL"));
	}

	void forgetCommands() {
		this.servers.forEach((server) -> ask(server, "CONFIG RESETSTAT"));
	}

	/**
	 * The commands that all nodes executed for clients and in scripts since the last
	 * reset.
	 */
	Map<String, Long> commands() {
		Map<String, Long> commands = new TreeMap<>();
		this.servers.stream()
			.flatMap((server) -> ask(server, "INFO commandstats").lines())
			.filter((line) -> line.startsWith("cmdstat_"))
			.map((line) -> line.substring("cmdstat_".length()).split(":calls=|,"))
			.filter((fields) -> !NOT_COUNTED.contains(fields[0]))
			.forEach((fields) -> commands.merge(fields[0], Long.valueOf(fields[1]), Long::sum));
		return commands;
	}

	private static String ask(RedisProcess server, String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command + " to " + server.port(), ex);
		}
	}

	@Override
	public void close() {
		this.ways.values().forEach(FaultProxy::close);
		this.servers.forEach(RedisProcess::close);
	}

}
