package live.retwis.locks.lab.engine;

import java.util.Locale;
import java.util.function.BiFunction;

import live.retwis.locks.BrokenLocks;
import live.retwis.locks.Engine;
import live.retwis.locks.FenceRegister;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockSettings;
import live.retwis.locks.RedLock;

/**
 * The locks of this library with one broken rule. The lab must find each of them.
 */
public enum Mutant {

	/** One vote counts as a majority. */
	NO_QUORUM(BrokenLocks::withoutQuorum),

	/** The whole lease is valid, with no allowance for clock drift. */
	NO_DRIFT(BrokenLocks::withoutDrift),

	/** A release deletes the key, whoever owns it. */
	PLAIN_DEL(BrokenLocks::releasingBlindly),

	/** A node that timed out is released, although the lock is held. */
	EARLY_RELEASE(BrokenLocks::releasingWhatTimedOut),

	/** An extension sets the time to live without comparing the owner. */
	BLIND_PEXPIRE(BrokenLocks::extendingBlindly),

	/** The store does not know the owner of the lock, and accepts every write. */
	NO_FENCE((settings, fence) -> RedLock.open(settings, FenceRegister.NONE, LockListener.NONE));

	private final BiFunction<LockSettings, FenceRegister, RedLock> locks;

	Mutant(BiFunction<LockSettings, FenceRegister, RedLock> locks) {
		this.locks = locks;
	}

	/** One word for the mutant and its engine. */
	public String label(LabEngine engine) {
		return this + ":" + engine;
	}

	/** Opens the locks that {@link #label} names. */
	public static LockOpener opening(String label) {
		String[] parts = label.split(":");
		return Mutant.valueOf(parts[0]).opening(LabEngine.valueOf(parts[1]));
	}

	/**
	 * Opens the broken locks.
	 * @param engine an engine of this library
	 */
	public LockOpener opening(LabEngine engine) {
		return (nodes, nodeTimeout, store) -> open(
				new LockSettings(nodes, nodeTimeout, Engine.valueOf(engine.label().toUpperCase(Locale.ROOT))), store);
	}

	private LabLocks open(LockSettings settings, ProtectedStore store) {
		LabLocks opened = OurLocks.of(this.locks.apply(settings, store));
		return (this == NO_FENCE) ? new FencingOverrideLocks(opened, FencingMode.NONE, store) : opened;
	}

}
