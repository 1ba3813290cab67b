package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import live.retwis.background.PeriodicTask;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The time of the data node, computed from this machine's monotonic clock and a measured
 * offset. So all instances agree on the time, even when their wall clocks differ by
 * minutes or jump.
 */
@Component
public class DataClock extends PeriodicTask {

	/** In this time the clocks of two machines drift apart by 1 ms or less. */
	private static final Duration MEASURE_EVERY = Duration.ofSeconds(10);

	private static final LuaScript TIME = LuaScript.named("time");

	private final ReactiveStringRedisTemplate redis;

	/** Epoch time of the data node minus nanoTime, in µs. */
	private volatile @Nullable Long offset;

	DataClock(ReactiveStringRedisTemplate redis) {
		super(MEASURE_EVERY);
		this.redis = redis;
	}

	/**
	 * Milliseconds since the epoch on the data node. The first call measures the offset,
	 * which takes one round trip.
	 */
	public Mono<Long> millis() {
		Long known = this.offset;
		return (known != null) ? Mono.just(millis(known)) : measure().map(DataClock::millis);
	}

	/**
	 * Microseconds since the epoch on the data node, without a round trip. Empty when the
	 * offset was never measured.
	 */
	public OptionalLong knownMicros() {
		Long known = this.offset;
		return (known != null) ? OptionalLong.of(micros(known)) : OptionalLong.empty();
	}

	private static long millis(long offset) {
		return micros(offset) / 1000;
	}

	private static long micros(long offset) {
		return System.nanoTime() / 1000 + offset;
	}

	/**
	 * {@code time.lua} on the node that assigns the ids of log entries. It assumes that
	 * the node read its clock in the middle of the round trip.
	 */
	private Mono<Long> measure() {
		return Mono.defer(() -> {
			long sent = System.nanoTime();
			return TIME.run(this.redis, List.of(Keys.LOG)).map((time) -> offset(time, sent));
		}).doOnNext((measured) -> this.offset = measured);
	}

	@Override
	protected Mono<Void> run() {
		return measure().then();
	}

	private static long offset(List<String> time, long sent) {
		long middle = (sent + System.nanoTime()) / 2;
		return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)) - middle / 1000;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1001;
	}

}
