package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;

import live.retwis.locks.BrokenLocks;
import live.retwis.locks.Engine;
import live.retwis.locks.FenceRegister;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockSettings;
import live.retwis.locks.RedLock;

/**
 * This library's locks with one rule broken: what a lab must find.
 */
public enum Mutant {

	/** One vote is as good as a majority. */
	NO_QUORUM(BrokenLocks::withoutQuorum),

	/** The whole lease counts, whatever the clocks do. */
	NO_DRIFT(BrokenLocks::withoutDrift),

	/** A release deletes the key, whoever has it. */
	PLAIN_DEL(BrokenLocks::releasingBlindly),

	/** A node that timed out is released, and the lock is held all the same. */
	EARLY_RELEASE(BrokenLocks::releasingWhatTimedOut),

	/** An extension sets a time to live without looking at the owner. */
	BLIND_PEXPIRE(BrokenLocks::extendingBlindly),

	/** The store is not told who has the lock, and takes every write. */
	NO_FENCE((settings, fence) -> RedLock.open(settings, FenceRegister.NONE, LockListener.NONE));

	private final BiFunction<LockSettings, FenceRegister, RedLock> locks;

	Mutant(BiFunction<LockSettings, FenceRegister, RedLock> locks) {
		this.locks = locks;
	}

	/** The mutant and the engine that it is made of, as one word. */
	public String label(LabEngine engine) {
		return this + ":" + engine;
	}

	/** Opens what {@link #label} names. */
	public static LockOpener opening(String label) {
		String[] parts = label.split(":");
		return Mutant.valueOf(parts[0]).opening(LabEngine.valueOf(parts[1]));
	}

	/**
	 * Opens it.
	 * @param engine one of this library's
	 */
	public LockOpener opening(LabEngine engine) {
		return (nodes, nodeTimeout, store) -> open(
				new LockSettings(nodes, nodeTimeout, Engine.valueOf(engine.label().toUpperCase(Locale.ROOT))), store);
	}

	private LabLocks open(LockSettings settings, ProtectedStore store) {
		LabLocks opened = OurLocks.of(this.locks.apply(settings, store));
		return (this == NO_FENCE) ? new Unguarded(opened) : opened;
	}

	private record Unguarded(LabLocks locks) implements LabLocks {

		@Override
		public LockGrant tryLock(String resource, Duration lease) throws NotGranted {
			return new UnguardedGrant(this.locks.tryLock(resource, lease));
		}

		@Override
		public boolean reaches(int node) {
			return this.locks.reaches(node);
		}

		@Override
		public void close() {
			this.locks.close();
		}

	}

	private record UnguardedGrant(LockGrant grant) implements LockGrant {

		@Override
		public String owner() {
			return this.grant.owner();
		}

		@Override
		public OptionalLong validUntil() {
			return this.grant.validUntil();
		}

		@Override
		public WriteCondition guard() {
			return WriteCondition.NONE;
		}

		@Override
		public Map<String, String> votes() {
			return this.grant.votes();
		}

		@Override
		public String extend() {
			return this.grant.extend();
		}

		@Override
		public void release() {
			this.grant.release();
		}

	}

}
