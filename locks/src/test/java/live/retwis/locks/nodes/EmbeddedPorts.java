package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Six ports in a row for the nodes of one test, so that it does not meet those of a site
 * that runs on this machine. Closing ends whatever nodes the test left there.
 */
final class EmbeddedPorts implements AutoCloseable {

	final int base;

	private final NodeClient client = new NodeClient();

	private EmbeddedPorts(int base) {
		this.base = base;
	}

	/** Below the ports that systems give to outgoing connections. */
	static EmbeddedPorts choose() {
		return new Random().ints(10_000, 30_000)
			.limit(100)
			.filter((base) -> Node.from(base).stream().allMatch((node) -> isFree(node.port())))
			.mapToObj(EmbeddedPorts::new)
			.findFirst()
			.orElseThrow();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** The nodes that run there. */
	List<Node.State.Running> running() {
		return Node.from(this.base)
			.stream()
			.map((node) -> node.state(this.client))
			.flatMap((state) -> (state instanceof Node.State.Running running) ? Stream.of(running) : Stream.empty())
			.toList();
	}

	List<Long> pids() {
		return running().stream().map(Node.State.Running::pid).toList();
	}

	@Override
	public void close() throws IOException {
		pids().stream().flatMap((pid) -> ProcessHandle.of(pid).stream()).forEach(ProcessHandle::destroyForcibly);
		this.client.close();
		Files.deleteIfExists(UserCache.directory().resolve("nodes-" + this.base + ".lock"));
	}

}
