package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;

/**
 * The simulated store that the lock protects: a counter, and a register for the fence.
 */
final class SimulatedProtectedStore implements FencedCounter {

	private final DesignScheduler clock;

	private final FenceChoice fence;

	private final List<String> writes = new ArrayList<>();

	private long value;

	private String owner = "";

	private long end;

	private long tokens;

	private long greatest;

	SimulatedProtectedStore(DesignScheduler clock, FenceChoice fence) {
		this.clock = clock;
		this.fence = fence;
	}

	@Override
	public long claim(String claiming, long validity) {
		this.owner = claiming;
		this.end = this.clock.read() + validity;
		return ++this.tokens;
	}

	@Override
	public long read() {
		return this.value;
	}

	@Override
	public boolean write(String writer, long token, long next) {
		boolean allowed = switch (this.fence) {
			case NONE -> true;
			case OWNER -> this.owner.equals(writer) && this.end > this.clock.read();
			case NUMBER -> token >= this.greatest;
		};
		if (allowed) {
			this.greatest = Math.max(this.greatest, token);
			this.value = next;
			this.writes.add(writer + "=" + next);
		}
		return allowed;
	}

	/** Everything that the search for lost updates looks at. */
	Map<String, String> state() {
		return Map.of("value", Long.toString(this.value), "writes", String.join(",", this.writes));
	}

}
