package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The time of the data node, by a measured offset from this machine's monotonic clock:
 * instances whose wall clocks are minutes apart, or jump, agree all the same.
 */
@Component
public class DataClock implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(DataClock.class);

	/** Clocks of two machines drift apart by a millisecond or less in this time. */
	private static final Duration MEASURE_EVERY = Duration.ofSeconds(10);

	private final DataNode data;

	/** Data node's epoch minus nanoTime, in µs. */
	private volatile @Nullable Long offset;

	/** Whether the last measurement was answered. */
	private volatile boolean answered;

	private @Nullable Disposable measuring;

	DataClock(DataNode data) {
		this.data = data;
	}

	/**
	 * Milliseconds since the epoch on the data node; measured first if it never was.
	 */
	public Mono<Long> millis() {
		Long known = this.offset;
		return (known != null) ? Mono.just(millis(known)) : measure().map(DataClock::millis);
	}

	/**
	 * The same in µs, without asking the data node; empty when it was never measured.
	 */
	public OptionalLong knownMicros() {
		Long known = this.offset;
		return (known != null) ? OptionalLong.of(micros(known)) : OptionalLong.empty();
	}

	/** Whether the data node answered when it was last asked, 10 s ago at most. */
	boolean isAnswered() {
		return this.answered;
	}

	private static long millis(long offset) {
		return micros(offset) / 1000;
	}

	private static long micros(long offset) {
		return System.nanoTime() / 1000 + offset;
	}

	/**
	 * TIME, on the node that gives the log's entries their ids; the answer is taken to be
	 * from the middle of its round trip.
	 */
	private Mono<Long> measure() {
		return Mono.defer(() -> {
			long sent = System.nanoTime();
			return this.data.callBeside(Keys.LOG, (c) -> c.time()).map((time) -> offset(time, sent));
		}).doOnNext((measured) -> {
			this.offset = measured;
			this.answered = true;
		}).doOnError((error) -> this.answered = false);
	}

	private static long offset(List<String> time, long sent) {
		long middle = (sent + System.nanoTime()) / 2;
		return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)) - middle / 1000;
	}

	@Override
	public void start() {
		this.measuring = Flux.interval(Duration.ZERO, MEASURE_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> measure().onErrorResume((ex) -> {
				log.debug("The data node's time is not known", ex);
				return Mono.empty();
			}))
			.subscribe();
	}

	@Override
	public void stop() {
		if (this.measuring != null) {
			this.measuring.dispose();
			this.measuring = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.measuring != null;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1001;
	}

}
