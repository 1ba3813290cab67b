package live.retwis.guard;

import java.time.Duration;
import java.util.Locale;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.locks.LockAttempt;
import live.retwis.locks.LockListener;

import org.springframework.stereotype.Component;

/**
 * What the locks do, as metrics: {@code retwis.locks.attempts} by result,
 * {@code retwis.locks.votes} by node and outcome, {@code retwis.locks.releases},
 * {@code retwis.locks.extensions} and {@code retwis.locks.expired}.
 */
@Component
class LockMetrics implements LockListener {

	private final MeterRegistry meters;

	LockMetrics(MeterRegistry meters) {
		this.meters = meters;
	}

	@Override
	public void onAttempt(LockAttempt attempt) {
		this.meters.timer("retwis.locks.attempts", "result", tag(attempt.result())).record(attempt.elapsed());
		attempt.outcomes()
			.forEach((node, outcome) -> this.meters.counter("retwis.locks.votes", "node", node, "outcome", tag(outcome))
				.increment());
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		this.meters.timer("retwis.locks.releases").record(elapsed);
	}

	@Override
	public void onExtend(String resource, boolean extended, Duration elapsed) {
		this.meters.timer("retwis.locks.extensions", "extended", Boolean.toString(extended)).record(elapsed);
	}

	@Override
	public void onExpired(String resource) {
		this.meters.counter("retwis.locks.expired").increment();
	}

	private static String tag(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
