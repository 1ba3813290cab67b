package live.retwis.locks;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.redisson.command.CommandAsyncExecutor;
import reactor.core.publisher.Mono;

/**
 * Mistakes, most of which this library once had. The simulation must find each by the
 * promise that it breaks.
 */
enum BrokenBallots {

	/**
	 * A caller that gave up still waits for its turn at a node, and is released there
	 * afterwards.
	 */
	QUEUEING("attempts are unfinished",
			new SimulatedSchedule.Rules(SimulatedStore::new, (environment) -> Queueing::new)),

	/** Redisson's wait of zero. It gets longer when the wall clock is set back. */
	WAITING_BY_WALL_CLOCK("waits for longer than it may",
			new SimulatedSchedule.Rules(SimulatedStore::new,
					(environment) -> (node, candidate) -> new WaitingByWallClock(node, candidate, environment))),

	/** Any node that was asked can extend the lock, and the claim is made again. */
	EXTENDING_WHAT_CAME_LATE("An increment was lost",
			new SimulatedSchedule.Rules(ClaimingAnew::new, (environment) -> ExtendingWhatCameLate::new)),

	/** A node that was never asked counts as having answered a release. */
	COUNTING_WHO_WAS_NOT_ASKED("A release counted",
			new SimulatedSchedule.Rules(SimulatedStore::new, (environment) -> CountingWhoWasNotAsked::new)),

	/** One node keeps keys for a day. No mistake of an earlier version. */
	STAYING("is left for longer than a lease",
			new SimulatedSchedule.Rules(SimulatedStore::new, (environment) -> Staying::new));

	private final String promise;

	private final SimulatedSchedule.Rules rules;

	BrokenBallots(String promise, SimulatedSchedule.Rules rules) {
		this.promise = promise;
		this.rules = rules;
	}

	/** What the simulation must say about it. */
	String promise() {
		return this.promise;
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

	private static final class Staying extends Ballot {

		private final CandidateOwner forADay;

		Staying(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
			this.forADay = new CandidateOwner(SimulatedCaller.NAME, candidate.owner(), Duration.ofDays(1).toMillis(),
					() -> new ClockReading(0, 0));
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			CompletableFuture<NodeOutcome> asked = super.ask(command);
			return node().name().equals("node:1")
					? asked.thenCompose(
							(outcome) -> node().ask(NodeScript.EXTEND, this.forADay).thenApply((same) -> outcome))
					: asked;
		}

	}

}
