package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import live.retwis.locks.nodes.testing.Interception.Effect;

/**
 * Stands between clients and a server, and does to them what a network can do. It knows
 * commands and replies of Redis; another protocol passes through it in chunks. Each fault
 * is there until it is closed.
 */
public final class FaultProxy implements AutoCloseable {

	/**
	 * Below those that systems give to outgoing connections, so that nobody takes it
	 * while it is cut off.
	 */
	private static final int LOWEST_PORT = 20_000;

	private static final int PORTS = 10_000;

	private static final int PORTS_TRIED = 50;

	private final Obstacles obstacles = new Obstacles();

	private final Set<ProxiedConnection> links = ConcurrentHashMap.newKeySet();

	private final String host;

	private volatile int serverPort;

	private final int port;

	private ServerSocket listener;

	private Thread acceptor;

	private FaultProxy(String host, int serverPort) {
		this.host = host;
		this.serverPort = serverPort;
		this.listener = listenAnywhere();
		this.port = this.listener.getLocalPort();
		this.acceptor = accept(this.listener);
	}

	/** A proxy on a port of its own. */
	public static FaultProxy to(String host, int port) {
		return new FaultProxy(host, port);
	}

	/** A proxy before that server. */
	public static FaultProxy to(TestRedis redis) {
		return to(redis.host(), redis.port());
	}

	/** On 127.0.0.1; stays the same when it was cut. */
	public int port() {
		return this.port;
	}

	/** How many connections stand. */
	public int connections() {
		return this.links.size();
	}

	/** Where to strike: all commands of that kind from now on. */
	public CommandBreakpoint at(Predicate<SentCommand> commands) {
		return new CommandBreakpoint(this.obstacles, commands, 0);
	}

	/** Nothing passes either way, connections stay open and new ones are accepted. */
	public Interception blackHole() {
		return this.obstacles.add(new Interception((frame) -> true, Effect.HOLD));
	}

	/** The same for one direction. */
	public Interception blackHole(ProxyDirection direction) {
		return this.obstacles.add(new Interception((frame) -> frame.direction() == direction, Effect.HOLD));
	}

	/**
	 * The client hears nothing on the connections where it has said that command so far,
	 * such as SUBSCRIBE. They stay open.
	 * @throws AssertionError when there is none
	 */
	public Interception silence(String command) {
		Set<ProxiedConnection> silent = this.links.stream()
			.filter((link) -> link.dialogue().hasSaid(command))
			.collect(Collectors.toSet());
		if (silent.isEmpty()) {
			throw new AssertionError("Nobody has said " + command);
		}
		return this.obstacles.add(new Interception(
				(frame) -> frame.direction() == ProxyDirection.TO_CLIENT && silent.contains(frame.link()),
				Effect.HOLD));
	}

	/** Each command or reply takes that much longer; several add up. */
	public ProxyFault delay(ProxyDirection direction, Duration time) {
		return this.obstacles.delay(direction, time);
	}

	/** A long way that sends batches, to count round trips; one at a time. */
	public RoundTrips roundTrips(Duration quiet) {
		RoundTrips roundTrips = new RoundTrips(quiet, () -> this.obstacles.count(RoundTrips.UNCOUNTED));
		this.obstacles.count(roundTrips);
		return roundTrips;
	}

	/** Each connection is broken with that probability; new ones are accepted. */
	public void breakSome(Random random, double probability) {
		for (ProxiedConnection link : this.links) {
			if (random.nextDouble() < probability) {
				link.close();
			}
		}
	}

	/**
	 * From now on it leads to another server of the same host, as an address does after a
	 * fail-over; all connections break.
	 */
	public synchronized void redirect(int newPort) {
		this.serverPort = newPort;
		Set.copyOf(this.links).forEach(ProxiedConnection::close);
	}

	/** Breaks all connections and refuses new ones until it is closed. */
	public ProxyFault cut() {
		close();
		return this::listenAgain;
	}

	/** Breaks all connections and is gone: on return its port is free. */
	@Override
	public void close() {
		Thread last;
		synchronized (this) {
			ProxiedConnection.closeQuietly(this.listener);
			Set.copyOf(this.links).forEach(ProxiedConnection::close);
			last = this.acceptor;
		}
		try {
			last.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void listenAgain() {
		try {
			if (this.listener.isClosed()) {
				this.listener = listen(this.port);
				this.acceptor = accept(this.listener);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Port " + this.port, ex);
		}
	}

	private static ServerSocket listenAnywhere() {
		for (int tries = 1;; tries++) {
			try {
				return listen(LOWEST_PORT + ThreadLocalRandom.current().nextInt(PORTS));
			}
			catch (IOException ex) {
				if (tries == PORTS_TRIED) {
					throw new UncheckedIOException("No free port", ex);
				}
			}
		}
	}

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
	}

	private Thread accept(ServerSocket from) {
		Thread thread = new Thread(() -> {
			try {
				while (true) {
					connect(from, from.accept());
				}
			}
			catch (IOException ex) {
				// Closed.
			}
		}, "fault-proxy-" + this.port);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private synchronized void connect(ServerSocket from, Socket client) {
		try {
			if (from.isClosed()) {
				ProxiedConnection.closeQuietly(client);
				return;
			}
			ProxiedConnection link = new ProxiedConnection(client, new Socket(this.host, this.serverPort),
					this.obstacles, this.links::remove);
			this.links.add(link);
			link.start();
		}
		catch (IOException ex) {
			ProxiedConnection.closeQuietly(client);
		}
	}

}
