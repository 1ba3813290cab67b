package live.retwis.locks;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A lock node: keys with an owner and an expiry, by the node's own clock.
 */
final class SimulatedLockNode {

	private final String name;

	private final SimulatedTime time;

	/** How much faster its clock runs, in millionths. */
	private final long millionths;

	private final Map<String, Key> keys = new HashMap<>();

	private long clockJumps;

	private boolean up = true;

	/** Number of the node's current start. Connections to an earlier start are broken. */
	private int life;

	SimulatedLockNode(String name, SimulatedTime time, long millionths) {
		this.name = name;
		this.time = time;
		this.millionths = millionths;
	}

	private record Key(String owner, long end, boolean late) {
	}

	String name() {
		return this.name;
	}

	boolean isUp() {
		return this.up;
	}

	int life() {
		return this.life;
	}

	void crash(boolean forgets) {
		this.up = false;
		this.life++;
		if (forgets) {
			this.keys.clear();
		}
	}

	void restart() {
		this.up = true;
	}

	void jump(long nanos) {
		this.clockJumps += nanos;
	}

	private long clock() {
		return this.time.now() + this.time.now() / 1_000_000 * this.millionths + this.clockJumps;
	}

	/** The owner of the key; empty for none. */
	Optional<String> owner(String key) {
		Key held = this.keys.get(key);
		return (held != null && held.end() > clock()) ? Optional.of(held.owner()) : Optional.empty();
	}

	/** Whether the node has a key of these owners that no late command can explain. */
	boolean hasLeftBehind(String key, Predicate<String> owners) {
		Key held = this.keys.get(key);
		return held != null && held.end() > clock() && !held.late() && owners.test(held.owner());
	}

	/**
	 * Does what the script of this library or of Redisson does.
	 * @param late whether nobody waits for the answer any more
	 */
	boolean run(SimulatedCommand command, boolean late) {
		Optional<String> owner = owner(command.key());
		boolean mine = owner.filter(command.owner()::equals).isPresent();
		long end = clock() + command.leaseMillis() * 1_000_000;
		switch (command.kind()) {
			case TAKE -> {
				if (owner.isEmpty()) {
					this.keys.put(command.key(), new Key(command.owner(), end, late));
				}
				return owner.isEmpty();
			}
			case EXTEND -> this.keys.computeIfPresent(command.key(),
					(key, held) -> mine ? new Key(held.owner(), Math.max(held.end(), end), held.late()) : held);
			case RELEASE -> {
				if (mine) {
					this.keys.remove(command.key());
				}
			}
		}
		return mine;
	}

}
