package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The clocks and links of one simulated program. Its wall clock can be set.
 */
final class SimulatedLockEnvironment implements LockEnvironment {

	private final SimulatedTime time;

	private final List<SimulatedLink> links;

	private final Random random;

	private long wallOffset = Duration.ofDays(20_000).toMillis();

	SimulatedLockEnvironment(SimulatedTime time, List<SimulatedLink> links, Random random) {
		this.time = time;
		this.links = links;
		this.random = random;
	}

	void stepWallClock(long millis) {
		this.wallOffset += millis;
	}

	@Override
	public ClockReading now() {
		return new ClockReading(this.time.now(), this.wallOffset + this.time.now() / 1_000_000);
	}

	@Override
	public Scheduler timers() {
		return this.time;
	}

	@Override
	public Scheduler bodies() {
		return this.time;
	}

	@Override
	public long between(long from, long to) {
		return this.random.nextLong(from, to + 1);
	}

	@Override
	public String owner() {
		return Long.toHexString(this.random.nextLong() | Long.MIN_VALUE);
	}

	@Override
	public List<SimulatedLink> links() {
		return this.links;
	}

	@Override
	public int eventLoops() {
		return 1;
	}

	@Override
	public Mono<Void> ready() {
		return Mono.empty();
	}

	@Override
	public Mono<Void> close() {
		return Mono.empty();
	}

}
