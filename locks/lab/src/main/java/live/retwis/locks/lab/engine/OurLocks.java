package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import live.retwis.locks.Lease;
import live.retwis.locks.LeaseExpired;
import live.retwis.locks.LockException;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockOptions;
import live.retwis.locks.LockSettings;
import live.retwis.locks.NoQuorum;
import live.retwis.locks.NodeState;
import live.retwis.locks.RedLock;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.Uninterrupted;

/**
 * This library's locks. The store is their fence.
 */
final class OurLocks implements LabLocks {

	/** Longer than all time-outs of the library. A call that takes longer hangs. */
	private static final Duration BOUND = Duration.ofSeconds(10);

	/** The longest time in which connections are made on a busy machine. */
	private static final Duration START = Duration.ofSeconds(30);

	private final RedLock locks;

	private OurLocks(RedLock locks) {
		this.locks = locks;
	}

	/** Opens the locks and waits until all nodes are up. */
	static OurLocks open(LockSettings settings, ProtectedStore store) {
		return of(RedLock.open(settings, store, LockListener.NONE));
	}

	/** Waits until all nodes are up. */
	static OurLocks of(RedLock locks) {
		if (!Poll.until(START, () -> locks.nodes().stream().allMatch(OurLocks::isUp))) {
			List<NodeState> states = locks.nodes();
			Uninterrupted.run(() -> locks.close().block(BOUND));
			throw new IllegalStateException("Not all nodes can be reached: " + states);
		}
		return new OurLocks(locks);
	}

	@Override
	public LockGrant tryLock(String resource, Duration lease) throws NotGrantedException {
		try {
			return this.locks.tryAcquire(resource, LockOptions.of(lease, Duration.ZERO))
				.blockOptional(BOUND)
				.map((held) -> (LockGrant) new Held(held))
				.orElseThrow(() -> new NotGrantedException("taken", "Taken"));
		}
		catch (LockException ex) {
			throw new NotGrantedException("none", String.valueOf(ex.getMessage()));
		}
	}

	private static boolean isUp(NodeState node) {
		return node.health() == NodeState.Health.UP;
	}

	@Override
	public boolean reaches(int node) {
		return isUp(this.locks.nodes().get(node - 1));
	}

	@Override
	public void close() {
		this.locks.close().block(BOUND);
	}

	/**
	 * A lease of ours.
	 */
	private record Held(Lease lease) implements LockGrant {

		@Override
		public String owner() {
			return this.lease.owner();
		}

		/** The lease is read after the clock, so that the result is not too late. */
		@Override
		public OptionalLong validUntil() {
			long now = System.nanoTime();
			return OptionalLong.of(now + this.lease.remaining().toNanos());
		}

		@Override
		public WriteCondition guard() {
			return WriteCondition.OWNER;
		}

		@Override
		public Map<String, String> votes() {
			Map<String, String> votes = new LinkedHashMap<>();
			this.lease.outcomes()
				.values()
				.forEach((outcome) -> votes.put("node " + (votes.size() + 1), outcome.toString()));
			return votes;
		}

		@Override
		public String extend() {
			try {
				this.lease.extend().block(BOUND);
				return "extended";
			}
			catch (LeaseExpired ex) {
				return "expired";
			}
			catch (NoQuorum ex) {
				return "none";
			}
		}

		@Override
		public void release() {
			this.lease.release().block(BOUND);
		}

	}

}
