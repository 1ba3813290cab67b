package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A simulated program with its own locks.
 */
final class SimulatedClient implements LockListener {

	/**
	 * Most attempts that continue without their callers: those of two callers, and their
	 * last ones.
	 */
	private static final int MOST_UNFINISHED = 16;

	private final LockDependencies dependencies;

	private final SimulatedLockEnvironment environment;

	private final MajorityRedLock locks;

	/** Number of nodes that the last release reported. */
	private int reported;

	SimulatedClient(SimulatedTime time, List<SimulatedLink> links, Engine engine, SimulatedStore store,
			Function<SimulatedLockEnvironment, BiFunction<LockNode, CandidateOwner, Ballot>> ballots, Random random) {
		this.environment = new SimulatedLockEnvironment(time, links, random);
		List<String> names = links.stream().map((link) -> "redis://" + link.state().name()).toList();
		LockSettings settings = new LockSettings(names, SimulatedLink.TIMEOUT, engine);
		this.dependencies = new LockDependencies(
				new LockNodes(settings, this.environment, ballots.apply(this.environment)), store, this,
				this.environment, new LocalQueues(time), new DetachedOperations());
		this.locks = new MajorityRedLock(this.dependencies, Duration.ofSeconds(1));
	}

	MajorityRedLock locks() {
		return this.locks;
	}

	SimulatedLockEnvironment environment() {
		return this.environment;
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		this.reported = nodes;
	}

	/** Checks a release: what it reported must be true. */
	void checkRelease(String owner) {
		int answered = this.environment.links().stream().mapToInt((link) -> link.answeredReleases(owner)).sum();
		if (this.reported > answered) {
			throw new BrokenPromise("A release counted " + this.reported + " nodes, and " + answered + " had answered");
		}
	}

	void checkBacklog() {
		int unfinished = this.dependencies.detached().size();
		if (unfinished > MOST_UNFINISHED) {
			throw new BrokenPromise(unfinished + " attempts are unfinished");
		}
	}

	void checkIdle() {
		if (this.dependencies.detached().size() > 0 || this.dependencies.queues().size() > 0
				|| !this.dependencies.nodes().roundLimiter().isIdle()
				|| !this.dependencies.nodes().all().stream().allMatch(LockNode::isIdle)) {
			throw new BrokenPromise("Something is still under way, waiting or owed when all is quiet");
		}
	}

}
