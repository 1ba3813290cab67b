package live.retwis.locks;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.redisson.command.CommandAsyncExecutor;
import reactor.core.publisher.Mono;

/**
 * What this library did once, to see that the simulation finds it.
 */
enum BrokenBallots {

	/**
	 * Whoever gave up waits for its turn at a node all the same, and is released there.
	 */
	QUEUEING(new Schedule.Rules(SimulatedStore::new, (platform) -> Queueing::new)),

	/** Redisson's wait of nothing, which grows when the wall clock is set back. */
	WAITING_BY_WALL_CLOCK(new Schedule.Rules(SimulatedStore::new,
			(platform) -> (node, bid) -> new WaitingByWallClock(node, bid, platform))),

	/** Whatever node was asked may extend, and the claim is made anew. */
	EXTENDING_WHAT_CAME_LATE(new Schedule.Rules(ClaimingAnew::new, (platform) -> ExtendingWhatCameLate::new)),

	/** A node that was never asked has answered a release. */
	COUNTING_WHO_WAS_NOT_ASKED(new Schedule.Rules(SimulatedStore::new, (platform) -> CountingWhoWasNotAsked::new));

	private final Schedule.Rules rules;

	BrokenBallots(Schedule.Rules rules) {
		this.rules = rules;
	}

	Schedule.Rules rules() {
		return this.rules;
	}

	private static final class Queueing extends Ballot {

		private final Bid bid;

		private volatile CompletableFuture<NodeOutcome> answer = CompletableFuture
			.completedFuture(NodeOutcome.NOT_ASKED);

		/** Over a bid that is never withdrawn. */
		Queueing(LockNode node, Bid bid) {
			super(node, new Bid(bid.key().substring("lock:".length()), bid.owner(), bid.leaseMillis(),
					() -> new Moment(0, 0)));
			this.bid = bid;
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			if (this.bid.isWithdrawn()) {
				return this.answer;
			}
			this.answer = super.ask((executor) -> this.bid.isWithdrawn() ? CompletableFuture.completedFuture(false)
					: command.apply(executor));
			return this.answer;
		}

		@Override
		CompletableFuture<NodeOutcome> acquire() {
			this.bid.voteLeaves();
			return super.acquire();
		}

		@Override
		CompletableFuture<NodeOutcome> confirm() {
			this.bid.voteLeaves();
			return super.confirm();
		}

		@Override
		boolean mayHold() {
			return true;
		}

		@Override
		CompletableFuture<NodeOutcome> release() {
			return node().release(this.bid, this.answer.thenApply((outcome) -> true));
		}

	}

	private static final class WaitingByWallClock extends Ballot {

		private final SimulatedPlatform platform;

		WaitingByWallClock(LockNode node, Bid bid, SimulatedPlatform platform) {
			super(node, bid);
			this.platform = platform;
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			long asked = this.platform.now().millis();
			return super.ask(command).thenCompose((outcome) -> (outcome == NodeOutcome.TAKEN)
					? refusal(asked - this.platform.now().millis()) : CompletableFuture.completedFuture(outcome));
		}

		private CompletableFuture<NodeOutcome> refusal(long millis) {
			CompletableFuture<NodeOutcome> refusal = new CompletableFuture<>();
			this.platform.timers().schedule(() -> refusal.complete(NodeOutcome.TAKEN), millis, TimeUnit.MILLISECONDS);
			return refusal;
		}

	}

	private static final class ExtendingWhatCameLate extends Ballot {

		ExtendingWhatCameLate(LockNode node, Bid bid) {
			super(node, bid);
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

		CountingWhoWasNotAsked(LockNode node, Bid bid) {
			super(node, bid);
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
