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
 * A proxy between clients and a server that imitates faults of the network. It
 * understands commands and replies of Redis. Other protocols pass in chunks. Each fault
 * lasts until it is closed.
 */
public final class FaultProxy implements AutoCloseable {

	/**
	 * The ports are below those that systems use for outgoing connections, so no other
	 * program takes the port while the proxy is cut off.
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

	/** A proxy on its own port. */
	public static FaultProxy to(String host, int port) {
		return new FaultProxy(host, port);
	}

	/** A proxy in front of the server. */
	public static FaultProxy to(TestRedis redis) {
		return to(redis.host(), redis.port());
	}

	/** The port on 127.0.0.1. It stays the same after a cut. */
	public int port() {
		return this.port;
	}

	/** The number of open connections. */
	public int connections() {
		return this.links.size();
	}

	/** Selects all commands that match, from now on. */
	public CommandBreakpoint at(Predicate<SentCommand> commands) {
		return new CommandBreakpoint(this.obstacles, commands, 0);
	}

	/**
	 * Lets nothing pass in either direction. Connections stay open, and new ones are
	 * accepted.
	 */
	public Interception blackHole() {
		return this.obstacles.add(new Interception((frame) -> true, Effect.HOLD));
	}

	/** Lets nothing pass in one direction. */
	public Interception blackHole(ProxyDirection direction) {
		return this.obstacles.add(new Interception((frame) -> frame.direction() == direction, Effect.HOLD));
	}

	/**
	 * Lets no reply pass on the connections that have sent the command so far, such as
	 * SUBSCRIBE. They stay open.
	 * @throws AssertionError when no connection has sent it
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

	/** Delays each command or reply by this time. Several delays add up. */
	public ProxyFault delay(ProxyDirection direction, Duration time) {
		return this.obstacles.delay(direction, time);
	}

	/**
	 * Sends commands and replies in batches, to count round trips. Only one such fault is
	 * possible at a time.
	 */
	public RoundTrips roundTrips(Duration quiet) {
		RoundTrips roundTrips = new RoundTrips(quiet, () -> this.obstacles.count(RoundTrips.UNCOUNTED));
		this.obstacles.count(roundTrips);
		return roundTrips;
	}

	/** Breaks each connection with this probability. New ones are accepted. */
	public void breakSome(Random random, double probability) {
		for (ProxiedConnection link : this.links) {
			if (random.nextDouble() < probability) {
				link.close();
			}
		}
	}

	/**
	 * Leads to another server of the same host from now on, like an address after a
	 * fail-over. All connections break.
	 */
	public synchronized void redirect(int newPort) {
		this.serverPort = newPort;
		Set.copyOf(this.links).forEach(ProxiedConnection::close);
	}

	/** Breaks all connections and refuses new ones, until the fault is closed. */
	public ProxyFault cut() {
		close();
		return this::listenAgain;
	}

	/** Breaks all connections and ends the proxy. Its port is free on return. */
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
				// The proxy is closed.
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
