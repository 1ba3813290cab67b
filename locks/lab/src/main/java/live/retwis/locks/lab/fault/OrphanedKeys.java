package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import live.retwis.locks.lab.node.LabNode;

/**
 * The keys of a client that died after it had taken them on some nodes. With this fault a
 * schedule decides which nodes the next owner really holds. The keys go by themselves
 * when their time is over.
 *
 * @param nodes where the keys are
 * @param resource of which lock
 * @param left how long they last
 */
public record OrphanedKeys(List<LabNode> nodes, String resource, Duration left) implements Fault {

	private static final String OWNER = "orphan";

	@Override
	public String name() {
		return "orphan of a dead client";
	}

	@Override
	public String subject() {
		return String.join(", ", this.nodes.stream().map(LabNode::name).toList());
	}

	@Override
	public Map<String, String> inject() {
		Map<String, String> proof = new TreeMap<>();
		for (LabNode node : this.nodes) {
			String key = "lock:" + this.resource;
			node.ask("EVAL", "redis.call('hset', KEYS[1], ARGV[1], 1) return redis.call('pexpire', KEYS[1], ARGV[2])",
					"1", key, OWNER, String.valueOf(this.left.toMillis()));
			proof.put(node.name(), node.holding(this.resource).toString());
		}
		return proof;
	}

	/** Whether nobody else has the key on these nodes. */
	public boolean isAlone() {
		return this.nodes.stream()
			.map((node) -> node.holding(this.resource))
			.allMatch((seen) -> seen.isFree() || seen.owner().equals(OWNER));
	}

}
