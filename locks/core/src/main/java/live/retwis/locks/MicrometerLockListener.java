package live.retwis.locks;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Counts what the locks do, as Micrometer meters. A program that uses this class needs
 * {@code micrometer-core} on its class path. Every meter exists from the start, with the
 * value 0.
 * <ul>
 * <li>{@code retwis.locks.attempts}: a timer of the rounds of votes, by {@code result}
 * <li>{@code retwis.locks.votes}: a counter by {@code node} and {@code outcome}
 * <li>{@code retwis.locks.releases}: a timer
 * <li>{@code retwis.locks.extensions}: a timer, by {@code extended} (true or false)
 * <li>{@code retwis.locks.expired}: a counter of leases that ended before they were given
 * back, each counted when its body, its claim or an extension ends by that
 * <li>{@code retwis.locks.node.up}: a gauge by {@code node}, 1 while the node can vote
 * </ul>
 */
public final class MicrometerLockListener implements LockListener {

	private final MeterRegistry meters;

	private final Map<LockAttempt.Result, Timer> attempts = new EnumMap<>(LockAttempt.Result.class);

	private final Timer releases;

	private final Counter expired;

	/**
	 * Registers the meters that do not depend on nodes.
	 * @param meters where they are registered
	 */
	public MicrometerLockListener(MeterRegistry meters) {
		this.meters = meters;
		for (LockAttempt.Result result : LockAttempt.Result.values()) {
			this.attempts.put(result, meters.timer("retwis.locks.attempts", "result", tag(result)));
		}
		this.releases = meters.timer("retwis.locks.releases");
		this.expired = meters.counter("retwis.locks.expired");
		extensions(true);
		extensions(false);
	}

	/**
	 * Registers the meters of each node. They stay registered, because the set of nodes
	 * does not change. If other locks with the same nodes were watched before, as before
	 * a new start, these take their place.
	 * @param locks whose nodes are counted
	 */
	public void watch(RedLock locks) {
		for (NodeState node : locks.nodes()) {
			this.meters.find("retwis.locks.node.up").tag("node", node.name()).gauges().forEach(this.meters::remove);
			Gauge.builder("retwis.locks.node.up", () -> up(locks, node.name()))
				.description("1 while the node can vote, else 0")
				.tag("node", node.name())
				.register(this.meters);
			for (NodeOutcome outcome : NodeOutcome.values()) {
				votes(node.name(), outcome);
			}
		}
	}

	private static double up(RedLock locks, String name) {
		return locks.nodes().stream().anyMatch((node) -> node.name().equals(name) && node.isUp()) ? 1 : 0;
	}

	@Override
	public void onAttempt(LockAttempt attempt) {
		Objects.requireNonNull(this.attempts.get(attempt.result())).record(attempt.elapsed());
		attempt.outcomes().forEach((node, outcome) -> votes(node, outcome).increment());
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		this.releases.record(elapsed);
	}

	@Override
	public void onExtend(String resource, boolean extended, Duration elapsed) {
		extensions(extended).record(elapsed);
	}

	@Override
	public void onExpired(String resource) {
		this.expired.increment();
	}

	private Counter votes(String node, NodeOutcome outcome) {
		return this.meters.counter("retwis.locks.votes", "node", node, "outcome", tag(outcome));
	}

	private Timer extensions(boolean extended) {
		return this.meters.timer("retwis.locks.extensions", "extended", Boolean.toString(extended));
	}

	private static String tag(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
