package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The way in which an {@link Engine} asks the nodes.
 */
interface VotingStrategy {

	/**
	 * Asks nodes for the key until the result is certain.
	 * @param ballots of the nodes that can be reached, at least a majority
	 * @param nodes how many nodes are configured
	 * @return ends, never with an error, when no further node will be asked for the key.
	 * Votes that come later count too
	 */
	CompletableFuture<Void> collect(List<Ballot> ballots, int nodes);

	/**
	 * How many rounds may run at once. When many callers wait, more may run: see
	 * {@link RoundLimiter}.
	 * @param eventLoops how many threads serve the nodes
	 */
	int busyRounds(int eventLoops);

	static VotingStrategy of(Engine engine) {
		return switch (engine) {
			case REDISSON -> new RedissonVotingStrategy();
			case PARALLEL -> new ParallelVotingStrategy();
		};
	}

}
