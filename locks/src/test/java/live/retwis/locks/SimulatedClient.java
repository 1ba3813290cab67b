package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A program with locks of its own.
 */
final class SimulatedClient implements LockListener {

	/**
	 * Attempts that go on without their callers: those of two callers, and their last.
	 */
	private static final int MOST_UNFINISHED = 16;

	private final Surroundings surroundings;

	private final SimulatedPlatform platform;

	private final MajorityLock locks;

	/** By the last release that ended. */
	private int reported;

	SimulatedClient(SimulatedTime time, List<SimulatedLink> links, Engine engine, SimulatedStore store,
			Function<SimulatedPlatform, BiFunction<LockNode, Bid, Ballot>> ballots, Random random) {
		this.platform = new SimulatedPlatform(time, links, random);
		List<String> names = links.stream().map((link) -> "redis://" + link.state().name()).toList();
		LockSettings settings = new LockSettings(names, SimulatedLink.TIMEOUT, engine);
		this.surroundings = new Surroundings(new LockNodes(settings, this.platform, ballots.apply(this.platform)),
				store, this, this.platform, new Lines(time), new Detached());
		this.locks = new MajorityLock(this.surroundings, Duration.ofSeconds(1));
	}

	MajorityLock locks() {
		return this.locks;
	}

	SimulatedPlatform platform() {
		return this.platform;
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		this.reported = nodes;
	}

	/** After a release: what was told of it must have come about. */
	void checkRelease(String owner) {
		int answered = this.platform.links().stream().mapToInt((link) -> link.answeredReleases(owner)).sum();
		if (this.reported > answered) {
			throw new Violation("A release counted " + this.reported + " nodes, and " + answered + " had answered");
		}
	}

	void checkBacklog() {
		int unfinished = this.surroundings.detached().size();
		if (unfinished > MOST_UNFINISHED) {
			throw new Violation(unfinished + " attempts are unfinished");
		}
	}

	void checkIdle() {
		if (this.surroundings.detached().size() > 0 || this.surroundings.lines().size() > 0
				|| !this.surroundings.nodes().turns().isIdle()
				|| !this.surroundings.nodes().all().stream().allMatch(LockNode::isIdle)) {
			throw new Violation("Something is still under way, waiting or owed when all is quiet");
		}
	}

}
