package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The lock nodes of a testbed, numbered from 1, and the server that keeps what the locks
 * protect. To be closed.
 */
public final class LabNodes implements AutoCloseable {

	private final List<LabNode> nodes;

	private final List<SettableNodeClock> clocks;

	private LabNodes(List<LabNode> nodes, List<SettableNodeClock> clocks) {
		this.nodes = nodes;
		this.clocks = clocks;
	}

	/**
	 * Starts all nodes at the same time.
	 * @param count how many lock nodes
	 * @param durable whether they keep their data over a crash
	 * @param withClocks whether their clocks can be set
	 * @param processRegistry where their processes are recorded
	 */
	public static LabNodes start(int count, boolean durable, boolean withClocks, ProcessRegistry processRegistry) {
		Path directory = directory(processRegistry);
		List<SettableNodeClock> clocks = new ArrayList<>();
		for (int number = 1; withClocks && number <= count; number++) {
			clocks.add(SettableNodeClock.create(directory, number));
		}
		List<LabNode> nodes = IntStream.rangeClosed(0, count)
			.parallel()
			.mapToObj((number) -> LabNode.start(number, directory, durable,
					(withClocks && number > 0) ? clocks.get(number - 1).environment() : Map.of(), processRegistry))
			.toList();
		return new LabNodes(nodes, List.copyOf(clocks));
	}

	/**
	 * Makes a directory for each testbed, because a durable node must not find what
	 * another one left.
	 */
	private static Path directory(ProcessRegistry processRegistry) {
		try {
			return Files.createTempDirectory(processRegistry.directory(), "testbed-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No directory for the nodes", ex);
		}
	}

	/** The lock nodes. */
	public List<LabNode> all() {
		return this.nodes.subList(1, this.nodes.size());
	}

	/** A lock node by its number, from 1. */
	public LabNode node(int number) {
		return all().get(number - 1);
	}

	/** The server that keeps what the locks protect. */
	public LabNode store() {
		return this.nodes.get(0);
	}

	/** The clock of a lock node. Only where clocks can be set. */
	public SettableNodeClock clock(int number) {
		return this.clocks.get(number - 1);
	}

	@Override
	public void close() {
		this.nodes.forEach(LabNode::close);
	}

}
