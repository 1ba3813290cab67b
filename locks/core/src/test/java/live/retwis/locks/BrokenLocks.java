package live.retwis.locks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;
import reactor.core.publisher.Mono;

/**
 * The locks of this library with one broken rule, to find out which test notices it.
 */
public final class BrokenLocks {

	private BrokenLocks() {
	}

	private static RedLock open(LockSettings settings, FenceRegister fence,
			BiFunction<LockNode, CandidateOwner, Ballot> ballots) {
		return MajorityRedLock.open(settings, fence, LockListener.NONE, TimeSource.SYSTEM, ballots);
	}

	/** One vote counts as a majority. */
	public static RedLock withoutQuorum(LockSettings settings, FenceRegister fence) {
		Map<CandidateOwner, List<OneIsEnough>> rounds = new ConcurrentHashMap<>();
		return open(settings, fence, (node, candidate) -> {
			List<OneIsEnough> round = rounds.computeIfAbsent(candidate, (first) -> new CopyOnWriteArrayList<>());
			OneIsEnough ballot = new OneIsEnough(node, candidate, round);
			round.add(ballot);
			return ballot;
		});
	}

	/**
	 * The whole lease is valid, except for the 2 ms of rounding. There is no allowance
	 * for clock drift.
	 */
	public static RedLock withoutDrift(LockSettings settings, FenceRegister fence) {
		return new WithoutDrift(RedLock.open(settings, fence, LockListener.NONE));
	}

	/** A release deletes the key, whoever owns it. */
	public static RedLock releasingBlindly(LockSettings settings, FenceRegister fence) {
		return open(settings, fence, BlindRelease::new);
	}

	/**
	 * A node that timed out is released at once, although the lock may be held with its
	 * vote.
	 */
	public static RedLock releasingWhatTimedOut(LockSettings settings, FenceRegister fence) {
		return open(settings, fence, HastyRelease::new);
	}

	/**
	 * An extension sets the time to live without comparing the owner, as RedissonRedLock
	 * does.
	 */
	public static RedLock extendingBlindly(LockSettings settings, FenceRegister fence) {
		return open(settings, fence, BlindExtension::new);
	}

	private static CompletableFuture<NodeOutcome> run(Ballot ballot, String script) {
		CandidateOwner candidate = ballot.candidate();
		Function<CommandAsyncExecutor, CompletionStage<Boolean>> command = (executor) -> executor.syncedEvalNoRetry(
				candidate.key(), StringCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN, script, List.of(candidate.key()),
				candidate.owner(), candidate.leaseMillis());
		return ballot.node().ask(command);
	}

	private static final class OneIsEnough extends Ballot {

		private final List<OneIsEnough> round;

		OneIsEnough(LockNode node, CandidateOwner candidate, List<OneIsEnough> round) {
			super(node, candidate);
			this.round = round;
		}

		private boolean hasVoted() {
			return super.isVote();
		}

		@Override
		boolean isVote() {
			return this.round.stream().anyMatch(OneIsEnough::hasVoted);
		}

	}

	private static final class BlindRelease extends Ballot {

		BlindRelease(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
		}

		@Override
		CompletableFuture<NodeOutcome> release() {
			return run(this, "return redis.call('del', KEYS[1])");
		}

	}

	private static final class HastyRelease extends Ballot {

		HastyRelease(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
		}

		@Override
		CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
			return super.ask(command).thenApply((outcome) -> {
				if (outcome == NodeOutcome.TIMEOUT) {
					node().release(candidate(), CompletableFuture.completedFuture(true));
				}
				return outcome;
			});
		}

	}

	/** An extension whose vote is that of the engine that confirms the keys. */
	private static final class BlindExtension extends Ballot {

		private volatile boolean extended;

		BlindExtension(LockNode node, CandidateOwner candidate) {
			super(node, candidate);
		}

		@Override
		CompletableFuture<NodeOutcome> extend() {
			return prolong();
		}

		@Override
		CompletableFuture<NodeOutcome> prolong() {
			return run(this, "return redis.call('pexpire', KEYS[1], ARGV[2])").thenApply((outcome) -> {
				this.extended = outcome == NodeOutcome.ACQUIRED;
				return outcome;
			});
		}

		@Override
		boolean isVote() {
			return super.isVote() || this.extended;
		}

	}

	private record WithoutDrift(RedLock locks) implements RedLock {

		private static LockOptions withoutDrift(LockOptions options) {
			return new LockOptions(options.lease(), options.waitTime(), 0, options.minimumValidity());
		}

		@Override
		public <T> Mono<T> withLock(String resource, LockOptions options, Function<Lease, Mono<T>> body) {
			return this.locks.withLock(resource, withoutDrift(options), body);
		}

		@Override
		public Mono<Lease> tryAcquire(String resource, LockOptions options) {
			return this.locks.tryAcquire(resource, withoutDrift(options));
		}

		@Override
		public Mono<Void> ready() {
			return this.locks.ready();
		}

		@Override
		public List<NodeState> nodes() {
			return this.locks.nodes();
		}

		@Override
		public Mono<Void> close() {
			return this.locks.close();
		}

	}

}
