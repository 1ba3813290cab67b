package live.retwis.locks.lab.fault;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import live.retwis.locks.lab.node.LabNode;

/**
 * Somebody empties nodes (FLUSHALL). Nothing brings back what they held.
 *
 * @param nodes which nodes
 * @param resource the lock that the proof looks at
 */
public record FlushedNodes(List<LabNode> nodes, String resource) implements Fault {

	@Override
	public String name() {
		return "emptied";
	}

	@Override
	public String subject() {
		return String.join(", ", this.nodes.stream().map(LabNode::name).toList());
	}

	@Override
	public Map<String, String> inject() {
		Map<String, String> proof = new TreeMap<>();
		for (LabNode node : this.nodes) {
			proof.put(node.name() + " before", node.holding(this.resource).toString());
			node.ask("FLUSHALL");
			proof.put(node.name() + " after", node.holding(this.resource).toString());
		}
		return proof;
	}

}
