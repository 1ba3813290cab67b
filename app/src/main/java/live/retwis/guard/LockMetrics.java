package live.retwis.guard;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import live.retwis.locks.LockAttempt;
import live.retwis.locks.LockListener;
import live.retwis.locks.NodeOutcome;
import live.retwis.locks.NodeState;

import org.springframework.stereotype.Component;

/**
 * Metrics of the locks: {@code retwis.locks.attempts} by result,
 * {@code retwis.locks.votes} by node and outcome, {@code retwis.locks.releases},
 * {@code retwis.locks.extensions}, {@code retwis.locks.expired} and
 * {@code retwis.locks.node.up}. All of them are registered at the start.
 */
@Component
class LockMetrics implements LockListener {

	private final MeterRegistry meters;

	private final Map<LockAttempt.Result, Timer> attempts = new EnumMap<>(LockAttempt.Result.class);

	private final Timer releases;

	private final Counter expired;

	LockMetrics(MeterRegistry meters) {
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
	 * Registers the metrics of one node. They are never removed, because the nodes are
	 * fixed by the settings.
	 */
	void of(NodeState node, ToDoubleFunction<String> up) {
		Gauge.builder("retwis.locks.node.up", () -> up.applyAsDouble(node.name()))
			.description("1 while the node can vote, else 0")
			.tag("node", node.name())
			.register(this.meters);
		for (NodeOutcome outcome : NodeOutcome.values()) {
			votes(node.name(), outcome);
		}
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
