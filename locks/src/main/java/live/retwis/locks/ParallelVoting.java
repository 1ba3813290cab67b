package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * All at once. A node that takes the key has voted.
 */
final class ParallelVoting implements Voting {

	@Override
	public CompletableFuture<Void> collect(List<Ballot> ballots, int nodes) {
		List<CompletableFuture<NodeOutcome>> votes = ballots.stream().map(Ballot::acquire).toList();
		return Tally.count(nodes, votes, Tally::decidesVote).thenAccept((tally) -> {
		});
	}

}
