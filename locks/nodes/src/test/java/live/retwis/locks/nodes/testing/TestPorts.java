package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ports of 127.0.0.1 for servers that are stopped and started again. No other program
 * gets the port of a stopped server: the ports are below those that systems use for
 * outgoing connections, no port is returned twice, and each JVM that runs tests has its
 * own range. The parts of {@code retwis-live cluster} use ports from 18,200 on.
 */
public final class TestPorts {

	private static final int FIRST = 10_000;

	/** Ports in a range, many more than the tests of a JVM need. */
	private static final int COUNT = 2_700;

	/** The most JVMs with their own range. */
	private static final int RANGES = 3;

	/** The nodes of a cluster talk to each other on a port that is this much higher. */
	private static final int BUS = 10_000;

	/** Number of this JVM among the test JVMs of the build, from 1. */
	private static final int FORK = Integer.getInteger("retwis.test.fork", 1);

	/**
	 * The first port is random, so that two builds on one machine rarely use the same
	 * ports.
	 */
	private static final AtomicInteger next = new AtomicInteger(new Random().nextInt(COUNT));

	private TestPorts() {
	}

	/** A free port. */
	public static int next() {
		return row(1);
	}

	/**
	 * Consecutive free ports.
	 * @return the first of them
	 */
	public static int row(int length) {
		return IntStream.generate(() -> Math.floorMod(next.getAndAdd(length), COUNT))
			.limit(COUNT)
			.filter((number) -> number + length <= COUNT)
			.map((number) -> FIRST + (FORK - 1) % RANGES * COUNT + number)
			.filter((first) -> IntStream.range(first, first + length).allMatch(TestPorts::isFree))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Free ports for the nodes of a Redis Cluster. These nodes talk to each other on a
	 * second port that is 10,000 higher, which is free too.
	 */
	public static List<Integer> withBus(int count) {
		return Stream.generate(TestPorts::next).limit(COUNT).filter((port) -> isFree(port + BUS)).limit(count).toList();
	}

	/**
	 * Binds the port without listening on it. A process that is started at this moment
	 * has a copy of the socket until it has closed it, and a copy that listens would keep
	 * the port from its server.
	 */
	static boolean isFree(int port) {
		try (Socket socket = new Socket()) {
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
