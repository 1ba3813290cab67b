package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * All at once. A node that takes the key has voted.
 */
final class ParallelVoting implements Voting {

	/**
	 * One that the loop sends, one at the nodes, one whose answers it reads. A round asks
	 * all nodes at once, so that any more only queue at the loop, and releases behind
	 * them.
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
