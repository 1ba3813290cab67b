package live.retwis.locks;

import java.util.List;
import java.util.function.BiFunction;

/**
 * All nodes, and the way in which they are asked.
 */
final class LockNodes {

	private final List<LockNode> nodes;

	private final VotingStrategy voting;

	private final RoundLimiter roundLimiter;

	private final BiFunction<LockNode, CandidateOwner, Ballot> ballots;

	/**
	 * Starts to connect to all nodes.
	 * @param ballots makes the ballot of a node for a candidate
	 */
	LockNodes(LockSettings settings, LockEnvironment environment,
			BiFunction<LockNode, CandidateOwner, Ballot> ballots) {
		this.voting = VotingStrategy.of(settings.engine());
		this.roundLimiter = new RoundLimiter(this.voting.busyRounds(environment.eventLoops()), settings.nodeTimeout(),
				environment.timers());
		this.ballots = ballots;
		this.nodes = environment.links().stream().map((link) -> new LockNode(link, environment)).toList();
		this.nodes.forEach(LockNode::start);
	}

	List<LockNode> all() {
		return this.nodes;
	}

	/** Makes one ballot for each node. */
	List<Ballot> ballots(CandidateOwner candidate) {
		return this.nodes.stream().map((node) -> this.ballots.apply(node, candidate)).toList();
	}

	VotingStrategy voting() {
		return this.voting;
	}

	RoundLimiter roundLimiter() {
		return this.roundLimiter;
	}

	List<NodeState> states() {
		return this.nodes.stream().map((node) -> node.link().state()).toList();
	}

}
