package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ports of 127.0.0.1 for servers that come and go. Those of a server that is away stay
 * its own: they lie below the ones that systems give to outgoing connections, none is
 * given twice, and JVMs that run tests beside each other have ranges of their own.
 */
public final class TestPorts {

	private static final int FIRST = 10_000;

	/** Many times what the tests of one JVM take. */
	private static final int COUNT = 4_000;

	/** JVMs beside each other; more would share. */
	private static final int RANGES = 5;

	/** How much higher the port is on which nodes of a cluster talk to each other. */
	private static final int BUS = 10_000;

	/** Which of the build's test JVMs this is, from 1. */
	private static final int FORK = Integer.getInteger("retwis.test.fork", 1);

	/** Anywhere in the range, so that two builds on one machine hardly meet. */
	private static final AtomicInteger next = new AtomicInteger(new Random().nextInt(COUNT));

	private TestPorts() {
	}

	/** A port that nobody has. */
	public static int next() {
		return row(1);
	}

	/**
	 * So many ports in a row that nobody has.
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
	 * So many ports that nobody has, for nodes of a Redis Cluster: these talk to each
	 * other on a second port, 10,000 higher.
	 */
	public static List<Integer> withBus(int count) {
		return Stream.generate(TestPorts::next).limit(COUNT).filter((port) -> isFree(port + BUS)).limit(count).toList();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
