package live.retwis.locks;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.redisson.command.CommandAsyncExecutor;
import reactor.core.publisher.Mono;

/**
 * Mistakes that this library once had. The simulation must find them.
 */
enum BrokenBallots {

	/**
	 * A caller that gave up still waits for its turn at a node, and is released there
	 * afterwards.
	 */
	QUEUEING(new SimulatedSchedule.Rules(SimulatedStore::new, (environment) -> Queueing::new)),

	/** Redisson's wait of zero. It gets longer when the wall clock is set back. */
	WAITING_BY_WALL_CLOCK(new SimulatedSchedule.Rules(SimulatedStore::new,
			(environment) -> (node, candidate) -> new WaitingByWallClock(node, candidate, environment))),

	/** Any node that was asked can extend the lock, and the claim is made again. */
	EXTENDING_WHAT_CAME_LATE(
			new SimulatedSchedule.Rules(ClaimingAnew::new, (environment) -> ExtendingWhatCameLate::new)),

	/** A node that was never asked counts as having answered a release. */
	COUNTING_WHO_WAS_NOT_ASKED(
			new SimulatedSchedule.Rules(SimulatedStore::new, (environment) -> CountingWhoWasNotAsked::new));

	private final SimulatedSchedule.Rules rules;

	BrokenBallots(SimulatedSchedule.Rules rules) {
		this.rules = rules;
	}

	SimulatedSchedule.Rules rules() {
		return this.rules;
	}

	private static final class Queueing extends Ballot {

		private final CandidateOwner candidate;

		private volatile CompletableFuture<NodeOutcome> answer = CompletableFuture
			.completedFuture(NodeOutcome.NOT_ASKED);

		/** Uses a candidate that is never withdrawn. */
		Queueing(LockNode node, CandidateOwner candidate) {
			super(node, new CandidateOwner(candidate.key().substring("lock:".length()), candidate.owner(),
					candidate.leaseMillis(), () -> new ClockReading(0, 0)));
			this.candidate = candidate;
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			if (this.candidate.isWithdrawn()) {
				return this.answer;
			}
			this.answer = super.ask((executor) -> this.candidate.isWithdrawn()
					? CompletableFuture.completedFuture(false) : command.apply(executor));
			return this.answer;
		}

		@Override
		CompletableFuture<NodeOutcome> acquire() {
			this.candidate.voteLeaves();
			return super.acquire();
		}

		@Override
		CompletableFuture<NodeOutcome> confirm() {
			this.candidate.voteLeaves();
			return super.confirm();
		}

		@Override
		boolean mayHold() {
			return true;
		}

		@Override
		CompletableFuture<NodeOutcome> release() {
			return node().release(this.candidate, this.answer.thenApply((outcome) -> true));
		}

	}

	private static final class WaitingByWallClock extends Ballot {

		private final SimulatedLockEnvironment environment;

		WaitingByWallClock(LockNode node, CandidateOwner candidate, SimulatedLockEnvironment environment) {
			super(node, candidate);
			this.environment = environment;
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			long asked = this.environment.now().millis();
			return super.ask(command).thenCompose((outcome) -> (outcome == NodeOutcome.TAKEN)
					? refusal(asked - this.environment.now().millis()) : CompletableFuture.completedFuture(outcome));
		}

		private CompletableFuture<NodeOutcome> refusal(long millis) {
			CompletableFuture<NodeOutcome> refusal = new CompletableFuture<>();
			this.environment.timers()
				.schedule(() -> refusal.complete(NodeOutcome.TAKEN), millis, TimeUnit.MILLISECONDS);
			return refusal;
		}

	}

	private static final class ExtendingWhatCameLate extends Ballot {

		ExtendingWhatCameLate(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
		}

		@Override
		CompletableFuture<NodeOutcome> extend() {
			return (outcome() == NodeOutcome.NOT_ASKED) ? super.extend() : prolong();
		}

	}

	private static final class ClaimingAnew extends SimulatedStore {

		ClaimingAnew(SimulatedTime time, Random random) {
			super(time, random);
		}

		@Override
		public Mono<Boolean> renew(Lease lease) {
			return claim(lease).thenReturn(true);
		}

	}

	private static final class CountingWhoWasNotAsked extends Ballot {

		CountingWhoWasNotAsked(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
		}

		@Override
		boolean mayHold() {
			return true;
		}

		@Override
		CompletableFuture<NodeOutcome> release() {
			return super.release()
				.thenApply((outcome) -> (outcome == NodeOutcome.NOT_ASKED) ? NodeOutcome.TAKEN : outcome);
		}

	}

}
