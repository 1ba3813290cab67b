package live.retwis.locks.nodes.proxy;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.Interception.Effect;

/**
 * A port of 127.0.0.1 between clients and a server. It does to their connections what a
 * network can do. Each fault is there until it is closed.
 * <p>
 * A proxy has one thread and takes any number of connections. It keeps at most 1 MiB of
 * each connection and direction on its way, and then reads no more, so that the sender
 * waits. A single command or reply may have 16 MiB; a longer one breaks its connection.
 */
public final class FaultProxy implements AutoCloseable {

	/**
	 * Below the ports that systems give to outgoing connections, so that nobody takes
	 * this one while it is cut off.
	 */
	private static final int LOWEST_PORT = 28_200;

	private static final int PORTS = 4_500;

	private static final int PORTS_TRIED = 50;

	private final ActiveInterceptions interceptions = new ActiveInterceptions(this::wake);

	private final String host;

	private final boolean speaksRedis;

	private volatile IntSupplier serverPort;

	private volatile ProxyPort listener;

	private boolean closed;

	private FaultProxy(String host, IntSupplier serverPort, boolean speaksRedis) {
		this.host = host;
		this.serverPort = serverPort;
		this.speaksRedis = speaksRedis;
		this.listener = listenAnywhere();
	}

	/** A proxy for the commands and replies of Redis. */
	public static FaultProxy to(String host, int port) {
		return to(host, () -> port);
	}

	/**
	 * The same for a server whose port may change.
	 * @param port asked whenever a client connects
	 */
	public static FaultProxy to(String host, IntSupplier port) {
		return new FaultProxy(host, port, true);
	}

	/**
	 * A proxy for any protocol, such as HTTP, or what a master sends to its replica. It
	 * does not tell one command from another.
	 */
	public static FaultProxy ofBytes(String host, int port) {
		return new FaultProxy(host, () -> port, false);
	}

	/** Its port on 127.0.0.1. It stays the same when the proxy was cut. */
	public int port() {
		return this.listener.port();
	}

	/** How many connections stand. */
	public int connections() {
		return this.listener.connections().size();
	}

	/** Chooses commands that a fault is to strike from now on. */
	public CommandFailpoint at(Predicate<SentCommand> commands) {
		return new CommandFailpoint(this.interceptions, commands, 0);
	}

	/** Each command takes that much longer. */
	public Interception delay(Duration time) {
		return at((command) -> true).delayCommand(time);
	}

	/** Nothing passes either way, connections stay open and new ones are accepted. */
	public Interception blackHole() {
		return this.interceptions.add((frame) -> true, Effect.HOLD);
	}

	/** Nothing that the server says from now on reaches a client. */
	public Interception loseReplies() {
		return this.interceptions.add((frame) -> frame.direction() == ProxyDirection.TO_CLIENT && !frame.isEnd(),
				Effect.LOSE);
	}

	/**
	 * The client hears nothing on the connections where it has said that command so far,
	 * such as SUBSCRIBE. They stay open.
	 * @throws IllegalStateException when there is none
	 */
	public Interception silence(String command) {
		List<ProxiedConnection> silent = this.listener.connections()
			.stream()
			.filter((connection) -> connection.replies().hasSaid(command))
			.toList();
		if (silent.isEmpty()) {
			throw new IllegalStateException("Nobody has said " + command);
		}
		return this.interceptions.add(
				(frame) -> frame.direction() == ProxyDirection.TO_CLIENT && silent.contains(frame.connection()),
				Effect.HOLD);
	}

	/** Tells a listener what passes from now on. There is one at a time. */
	public void tell(TrafficListener listener) {
		this.interceptions.tell(listener);
	}

	/** A long way that sends batches, to count round trips. There is one at a time. */
	public RoundTripCountingDelay countRoundTrips(Duration quiet) {
		RoundTripCountingDelay delay = new RoundTripCountingDelay(quiet,
				() -> this.interceptions.count(RoundTripCountingDelay.UNCOUNTED));
		this.interceptions.count(delay);
		return delay;
	}

	/** Each connection is broken with that probability; new ones are accepted. */
	public void breakSome(Random random, double probability) {
		this.listener.connections()
			.stream()
			.filter((connection) -> random.nextDouble() < probability)
			.forEach(ProxiedConnection::close);
	}

	/**
	 * From now on it leads to another server of the same host, as an address does after a
	 * fail-over; all connections break.
	 */
	public void redirect(int newPort) {
		this.serverPort = () -> newPort;
		this.listener.connections().forEach(ProxiedConnection::close);
	}

	/** Breaks all connections and refuses new ones until it is closed. */
	public synchronized FaultHandle cut() {
		this.listener.close();
		return this::listenAgain;
	}

	/**
	 * Breaks all connections, with what is on its way, and gives the port back. On return
	 * the port is free and the thread has ended.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.listener.close();
	}

	private synchronized void listenAgain() {
		if (!this.closed && this.listener.isClosed()) {
			this.listener.close();
			this.listener = listen(port());
		}
	}

	private synchronized void wake() {
		this.listener.wake();
	}

	private ProxyPort listenAnywhere() {
		for (int tries = 1;; tries++) {
			try {
				return listen(LOWEST_PORT + ThreadLocalRandom.current().nextInt(PORTS));
			}
			catch (UncheckedIOException ex) {
				if (tries == PORTS_TRIED) {
					throw ex;
				}
			}
		}
	}

	private ProxyPort listen(int port) {
		return new ProxyPort(port, this.interceptions, this.speaksRedis,
				() -> new InetSocketAddress(this.host, this.serverPort.getAsInt()));
	}

}
