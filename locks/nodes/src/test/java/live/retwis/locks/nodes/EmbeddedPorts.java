package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.TestPorts;

/**
 * Six consecutive ports for the nodes of one test, different from those of a site that
 * runs on this machine. Closing ends all nodes that the test left running.
 */
final class EmbeddedPorts implements AutoCloseable {

	/** A data node and five lock nodes. */
	private static final int NODES = 6;

	final int base;

	private final ServerIdentityProbe client = new ServerIdentityProbe();

	private EmbeddedPorts(int base) {
		this.base = base;
	}

	static EmbeddedPorts choose() {
		return new EmbeddedPorts(TestPorts.row(NODES));
	}

	/** The nodes that are running on these ports. */
	List<EmbeddedNodeSpec.State.Running> running() {
		return EmbeddedNodeSpec.from(this.base)
			.stream()
			.map((node) -> node.state(this.client))
			.flatMap((state) -> (state instanceof EmbeddedNodeSpec.State.Running running) ? Stream.of(running)
					: Stream.empty())
			.toList();
	}

	List<Long> pids() {
		return running().stream().map(EmbeddedNodeSpec.State.Running::pid).toList();
	}

	@Override
	public void close() throws IOException {
		pids().stream().flatMap((pid) -> ProcessHandle.of(pid).stream()).forEach(ProcessHandle::destroyForcibly);
		this.client.close();
		Files.deleteIfExists(UserTempDirectory.directory().resolve("nodes-" + this.base + ".lock"));
	}

}
