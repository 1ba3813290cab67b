package live.retwis.web;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Measures {@code retwis.loop.delay}: how late each event loop runs a task that is due.
 * It measures twice a second. A task that blocks a loop, or more load than the loops can
 * carry, shows in this metric first.
 */
@Component
@ConditionalOnWebApplication(type = Type.REACTIVE)
class LoopDelay implements SmartLifecycle {

	private static final Duration EVERY = Duration.ofMillis(500);

	private static final Duration[] BUCKETS = LongStream.of(1, 5, 10, 25, 50, 100, 250, 500, 1000)
		.mapToObj(Duration::ofMillis)
		.toArray(Duration[]::new);

	private final LoopResources loops;

	private final Timer delay;

	private @Nullable List<? extends ScheduledFuture<?>> looking;

	LoopDelay(LoopResources loops, MeterRegistry meters) {
		this.loops = loops;
		this.delay = Timer.builder("retwis.loop.delay").serviceLevelObjectives(BUCKETS).register(meters);
	}

	@Override
	public void start() {
		this.looking = StreamSupport.stream(this.loops.onServer(LoopResources.hasNativeSupport()).spliterator(), false)
			.map(this::look)
			.toList();
	}

	/**
	 * Computes the next due time from the end of the last run, so one delay is counted
	 * once.
	 */
	private ScheduledFuture<?> look(EventExecutor loop) {
		long[] due = { System.nanoTime() + EVERY.toNanos() };
		return loop.scheduleWithFixedDelay(() -> {
			long now = System.nanoTime();
			this.delay.record(Math.max(0, now - due[0]), TimeUnit.NANOSECONDS);
			due[0] = now + EVERY.toNanos();
		}, EVERY.toNanos(), EVERY.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void stop() {
		if (this.looking != null) {
			this.looking.forEach((one) -> one.cancel(false));
			this.looking = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.looking != null;
	}

	/**
	 * Starts long after the event loops exist. When the application stops, nothing waits
	 * for this bean.
	 */
	@Override
	public int getPhase() {
		return 0;
	}

}
