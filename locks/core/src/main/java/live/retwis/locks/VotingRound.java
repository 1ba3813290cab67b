package live.retwis.locks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import live.retwis.locks.LockAttempt.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One round of votes for one candidate, and its clean-up. After {@link #release()} no
 * further node is asked. Each node that was asked is released when it has answered.
 */
final class VotingRound {

	private static final Logger logger = LoggerFactory.getLogger(VotingRound.class);

	private final String resource;

	private final LockOptions options;

	private final CandidateOwner candidate;

	private final List<Ballot> ballots;

	private final LockDependencies dependencies;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean releasing = new AtomicBoolean();

	private final CompletableFuture<Void> asked = new CompletableFuture<>();

	private final CompletableFuture<Void> released = new CompletableFuture<>();

	/** The turn to ask the nodes; null before this round waits for it. */
	private volatile @Nullable CompletableFuture<Void> turn;

	/** When the first node was asked. Before that, when this round was made. */
	private volatile ClockReading start;

	private volatile Result result = Result.NO_QUORUM;

	VotingRound(String resource, LockOptions options, LockDependencies dependencies) {
		this.resource = resource;
		this.options = options;
		this.dependencies = dependencies;
		this.candidate = new CandidateOwner(resource, dependencies.environment().owner(), options.lease().toMillis(),
				dependencies.environment());
		this.start = now();
		this.ballots = dependencies.nodes().ballots(this.candidate);
	}

	String resource() {
		return this.resource;
	}

	String owner() {
		return this.candidate.owner();
	}

	LockOptions options() {
		return this.options;
	}

	List<Ballot> ballots() {
		return this.ballots;
	}

	LockDependencies dependencies() {
		return this.dependencies;
	}

	/**
	 * Asks the nodes when it is this round's turn.
	 * @param wait how long to wait for the turn
	 * @return how long the lease counts. Empty when the lock was not acquired; the round
	 * is released then. Never an error, because an error would be lost when nobody
	 * listens any more
	 */
	CompletableFuture<Optional<Validity>> start(Duration wait) {
		if (!this.begun.compareAndSet(false, true)) {
			return CompletableFuture.completedFuture(Optional.empty());
		}
		List<Ballot> reachable = this.ballots.stream().filter(Ballot::isReachable).toList();
		if (reachable.size() >= Tally.majority(this.ballots.size())) {
			awaitTurn(wait).whenComplete((mine, tooLate) -> vote(reachable, tooLate == null));
		}
		else {
			this.asked.complete(null);
		}
		return this.asked.thenApply((done) -> judge());
	}

	private CompletableFuture<Void> awaitTurn(Duration wait) {
		CompletableFuture<Void> turn = this.dependencies.nodes().roundLimiter().next(wait);
		this.turn = turn;
		if (this.candidate.isWithdrawn()) {
			turn.cancel(false);
		}
		return turn;
	}

	/**
	 * Asks for the votes. The caller of this round goes on before the next round begins.
	 */
	private void vote(List<Ballot> reachable, boolean isMyTurn) {
		if (isMyTurn) {
			this.start = now();
			collect(reachable).whenComplete((done, error) -> {
				this.asked.complete(null);
				this.dependencies.nodes().roundLimiter().end();
			});
		}
		else {
			this.asked.complete(null);
		}
	}

	private CompletableFuture<Void> collect(List<Ballot> reachable) {
		try {
			return this.dependencies.nodes().voting().collect(reachable, this.ballots.size());
		}
		catch (RuntimeException | Error ex) {
			logger.error("The nodes cannot be asked for {}", this.resource, ex);
			return CompletableFuture.failedFuture(ex);
		}
	}

	private Optional<Validity> judge() {
		Optional<Validity> validity = validity();
		this.result = validity.isPresent() ? Result.ACQUIRED : isTaken() ? Result.TAKEN : Result.NO_QUORUM;
		if (!this.releasing.get()) {
			this.dependencies.listener()
				.onAttempt(new LockAttempt(this.resource, this.result, outcomes(), now().since(this.start)));
		}
		if (validity.isEmpty()) {
			release();
		}
		return validity;
	}

	/** Why the lock was not acquired. */
	LockException refusal() {
		return (this.result == Result.TAKEN) ? new LockTaken(this.resource) : new NoQuorum(this.resource, outcomes());
	}

	private Optional<Validity> validity() {
		ClockReading firstVote = this.candidate.firstVote();
		if (firstVote == null || !hasMajority()) {
			return Optional.empty();
		}
		Validity validity = new Validity(firstVote, this.options.validity());
		Duration remaining = validity.remaining(now());
		boolean enough = !remaining.isZero() && remaining.compareTo(this.options.minimumValidity()) >= 0;
		return enough ? Optional.of(validity) : Optional.empty();
	}

	private boolean hasMajority() {
		return votes() >= Tally.majority(this.ballots.size());
	}

	long votes() {
		return this.ballots.stream().filter(Ballot::isVote).count();
	}

	/**
	 * Whether a majority answered or could have answered, and some node said that another
	 * owner has the key.
	 */
	private boolean isTaken() {
		long couldAnswer = this.ballots.stream().filter(Ballot::couldAnswer).count();
		return couldAnswer >= Tally.majority(this.ballots.size())
				&& this.ballots.stream().anyMatch((ballot) -> ballot.outcome() == NodeOutcome.TAKEN);
	}

	Map<String, NodeOutcome> outcomes() {
		Map<String, NodeOutcome> outcomes = new LinkedHashMap<>();
		this.ballots.forEach((ballot) -> outcomes.put(ballot.node().name(), ballot.outcome()));
		return outcomes;
	}

	/**
	 * Withdraws the candidate and gives the key back on every node that may hold it,
	 * whether or not anybody still listens.
	 * @return done when a majority of the nodes that may hold the key has answered or can
	 * no longer answer; never an error
	 */
	CompletableFuture<Void> release() {
		if (this.releasing.compareAndSet(false, true)) {
			this.candidate.withdraw();
			leaveQueue();
			if (this.begun.compareAndSet(false, true)) {
				this.asked.complete(null);
			}
			this.dependencies.detached().add(this.asked.thenCompose((done) -> releaseEverywhere()));
		}
		return this.released;
	}

	boolean isReleased() {
		return this.releasing.get();
	}

	private void leaveQueue() {
		CompletableFuture<Void> turn = this.turn;
		if (turn != null) {
			turn.cancel(false);
		}
	}

	/**
	 * Releases the key everywhere. The result is done when all nodes that may hold the
	 * key have answered. The caller is told earlier, when a majority of these has
	 * answered.
	 */
	private CompletableFuture<Void> releaseEverywhere() {
		ClockReading start = now();
		List<Ballot> holders = this.ballots.stream().filter(Ballot::mayHold).toList();
		List<CompletableFuture<NodeOutcome>> releases = holders.stream().map(Ballot::release).toList();
		Tally.count(holders.size(), releases, Tally::decidesAnswers).thenAccept((tally) -> {
			if (this.result == Result.ACQUIRED) {
				this.dependencies.listener().onRelease(this.resource, tally.answered(), now().since(start));
			}
			this.released.complete(null);
		});
		return CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new));
	}

	private ClockReading now() {
		return this.dependencies.environment().now();
	}

}
