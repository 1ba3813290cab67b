package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Asks all nodes at once. A node that takes the key has voted.
 */
final class ParallelVotingStrategy implements VotingStrategy {

	/**
	 * How many rounds keep one event loop busy: it sends one, one is at the nodes, and it
	 * reads the answers of one. A round asks all nodes at once, so further rounds would
	 * only queue at the event loop, and releases would queue behind them.
	 */
	private static final int ROUNDS_PER_LOOP = 3;

	@Override
	public int busyRounds(int eventLoops) {
		return ROUNDS_PER_LOOP * eventLoops;
	}

	@Override
	public CompletableFuture<Void> collect(List<Ballot> ballots, int nodes) {
		List<CompletableFuture<NodeOutcome>> votes = ballots.stream().map(Ballot::acquire).toList();
		return Tally.count(nodes, votes, Tally::decidesVote).thenAccept((tally) -> {
		});
	}

}
