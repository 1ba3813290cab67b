package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.LabNodes;
import live.retwis.locks.lab.node.NodeObservation;
import live.retwis.locks.nodes.Poll;

/**
 * Looks at all nodes some ten times a second while a round is played, and notes what has
 * changed. A time to live that has only gone down is no change. To be closed.
 */
final class NodeWatcher implements AutoCloseable {

	/** The name of the entries that it adds. */
	static final String SEEN = "seen";

	private static final Duration PAUSE = Duration.ofMillis(100);

	/**
	 * The longest wait for its end. A look at a node that hangs takes half a second at
	 * most.
	 */
	private static final Duration END = Duration.ofSeconds(5);

	/** The longest wait at the end for releases that are under way. */
	private static final Duration LAST = Duration.ofMillis(100);

	private final List<LabNode> nodes;

	private final String resource;

	private final History history;

	private final Thread thread = new Thread(this::run, "lab-watch");

	/** What was noted last of each node. */
	private final Map<LabNode, NodeObservation> noted = new HashMap<>();

	private long notedAt;

	private NodeWatcher(List<LabNode> nodes, String resource, History history) {
		this.nodes = nodes;
		this.resource = resource;
		this.history = history;
	}

	static NodeWatcher start(LabNodes nodes, String resource, History history) {
		NodeWatcher watch = new NodeWatcher(nodes.all(), resource, history);
		watch.thread.setDaemon(true);
		watch.thread.start();
		return watch;
	}

	private void run() {
		while (!Thread.currentThread().isInterrupted()) {
			look();
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

	private void look() {
		Map<LabNode, NodeObservation> seen = new HashMap<>();
		this.nodes.forEach((node) -> seen.put(node, node.look(this.resource)));
		long passed = Duration.ofNanos(System.nanoTime() - this.notedAt).toMillis();
		if (seen.entrySet().stream().anyMatch((entry) -> isNews(entry.getKey(), entry.getValue(), passed))) {
			Map<String, String> details = new TreeMap<>();
			seen.forEach((node, nodeObservation) -> nodeObservation.putInto(details, node.name()));
			this.history.add(Kind.NODES, "", SEEN, details);
			this.noted.putAll(seen);
			this.notedAt = System.nanoTime();
		}
	}

	private boolean isNews(LabNode node, NodeObservation nodeObservation, long millis) {
		NodeObservation before = this.noted.get(node);
		return before == null || nodeObservation.isNews(before, millis);
	}

	@Override
	public void close() {
		this.thread.interrupt();
		try {
			this.thread.join(END.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (!this.thread.isAlive()) {
			lookLast();
		}
	}

	/**
	 * Notes what the nodes hold when the round is over. Releases may still be under way,
	 * so it looks until nobody holds the lock, or for a short while.
	 */
	private void lookLast() {
		look();
		Poll.until(LAST, () -> {
			look();
			return this.noted.values().stream().noneMatch((seen) -> seen.holding().isHeld());
		});
	}

}
