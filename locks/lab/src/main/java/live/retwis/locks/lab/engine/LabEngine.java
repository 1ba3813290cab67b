package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.Engine;
import live.retwis.locks.LockSettings;
import live.retwis.locks.lab.engine.SetNxLocks.GiveBack;

/**
 * The locks that are compared.
 */
public enum LabEngine implements LockOpener {

	/** This library's Redlock, through RedissonRedLock. */
	REDISSON,

	/** This library's Redlock, which asks all nodes at once. */
	PARALLEL,

	/** Plain RedissonRedLock, with Redisson's default settings. */
	RAW,

	/** Redisson's lock on one node. */
	RLOCK,

	/** Redisson's lock on one node, with a number that the store compares. */
	RFENCED,

	/** The tutorials' lock on one node: SET NX, given back by DEL. */
	SETNX_DEL,

	/** The same, given back by WATCH, GET, MULTI, DEL and EXEC. */
	SETNX_WATCH,

	/** The same, given back by a script that compares the owner. */
	SETNX_LUA,

	/** A lock that a visitor has designed. Its scenario plays the clients itself. */
	DESIGN;

	/** The engines of the tutorials, in the order in which they build them up. */
	public static final List<LabEngine> TUTORIALS = List.of(SETNX_DEL, SETNX_WATCH, SETNX_LUA);

	/** All engines that clients open: all but the design. */
	public static LabEngine[] compared() {
		return Stream.of(values()).filter((engine) -> engine != DESIGN).toArray(LabEngine[]::new);
	}

	/** The name on the command line. */
	public String label() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** The engine of that name, of those that clients open. */
	public static Optional<LabEngine> of(String label) {
		return Stream.of(compared()).filter((engine) -> engine.label().equals(label)).findFirst();
	}

	/**
	 * Whether the engine is of this library. Then it tells how long a lock may be relied
	 * on.
	 */
	public boolean isOurs() {
		return this == REDISSON || this == PARALLEL;
	}

	/** Whether the engine asks more than one node. */
	public boolean hasMajority() {
		return isOurs() || this == RAW;
	}

	@Override
	public LabLocks open(List<String> nodes, Duration nodeTimeout, ProtectedStore store) {
		return switch (this) {
			case REDISSON -> OurLocks.open(new LockSettings(nodes, nodeTimeout, Engine.REDISSON), store);
			case PARALLEL -> OurLocks.open(new LockSettings(nodes, nodeTimeout, Engine.PARALLEL), store);
			case RAW -> RedissonLocks.redLock(nodes);
			case RLOCK -> RedissonLocks.single(nodes.get(0));
			case RFENCED -> RedissonLocks.fenced(nodes.get(0));
			case SETNX_DEL -> SetNxLocks.open(nodes.get(0), GiveBack.DELETE);
			case SETNX_WATCH -> SetNxLocks.open(nodes.get(0), GiveBack.WATCH);
			case SETNX_LUA -> SetNxLocks.open(nodes.get(0), GiveBack.SCRIPT);
			case DESIGN -> throw new IllegalStateException("No client opens a design");
		};
	}

}
