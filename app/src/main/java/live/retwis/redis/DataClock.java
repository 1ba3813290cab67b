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

	private static final Duration MEASURE_EVERY = Duration.ofSeconds(10);

	/** The clocks of two machines drift apart by at most 1 µs in so many µs. */
	private static final int DRIFT = 10_000;

	private static final LuaScript TIME = LuaScript.named("time");

	private static final LuaScript LOG_TIME = LuaScript.named("log-time");

	private final ReactiveStringRedisTemplate redis;

	private volatile @Nullable Measurement known;

	public DataClock(ReactiveStringRedisTemplate redis) {
		super(MEASURE_EVERY);
		this.redis = redis;
	}

	/**
	 * Milliseconds since the epoch on the data node. The first call measures the offset,
	 * which takes one round trip.
	 */
	public Mono<Long> millis() {
		return measurement().map(Measurement::millis);
	}

	/**
	 * {@code log-time.lua}: the time of the log now, which takes one round trip. It is
	 * not earlier than any entry in the log. While the clock of the node is behind the
	 * log, after a fail-over, it is later than all entries, and than those that follow.
	 */
	public Mono<Long> logMillis() {
		return LOG_TIME.run(this.redis, List.of(Keys.LOG)).map((time) -> Long.parseLong(time.get(0)));
	}

	/**
	 * The same, but never ahead of the data node: earlier by as much as the measured
	 * offset may be wrong.
	 */
	Mono<Long> earliestMillis() {
		return measurement().map(Measurement::earliestMillis);
	}

	private Mono<Measurement> measurement() {
		Measurement known = this.known;
		return (known != null) ? Mono.just(known) : measure();
	}

	/**
	 * Microseconds since the epoch on the data node, without a round trip. Empty when the
	 * offset was never measured.
	 */
	public OptionalLong knownMicros() {
		Measurement known = this.known;
		return (known != null) ? OptionalLong.of(known.micros()) : OptionalLong.empty();
	}

	/** {@code time.lua} on the node that assigns the ids of log entries, in µs. */
	private Mono<Long> time() {
		return TIME.run(this.redis, List.of(Keys.LOG))
			.map((time) -> Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1)));
	}

	private Mono<Measurement> measure() {
		return Mono.defer(() -> {
			long sent = System.nanoTime();
			return time().map((micros) -> Measurement.of(micros, sent));
		}).map((measured) -> {
			Measurement better = measured.orBetter(this.known);
			this.known = better;
			return better;
		});
	}

	@Override
	protected Mono<Void> run() {
		return measure().then();
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1001;
	}

	/**
	 * How far the data node's clock is ahead of this machine's monotonic clock.
	 *
	 * @param offset epoch time of the node minus nanoTime, in µs
	 * @param error how far the offset may be wrong, in µs
	 * @param at nanoTime of the measurement
	 */
	private record Measurement(long offset, long error, long at) {

		/** The node read its clock at some time of the round trip. */
		static Measurement of(long micros, long sent) {
			long now = System.nanoTime();
			return new Measurement(micros - (sent + now) / 2 / 1000, (now - sent) / 2 / 1000, now);
		}

		/**
		 * The more exact of two measurements. If they contradict each other, this newer
		 * one, because another node answers now, or its clock was set.
		 */
		Measurement orBetter(@Nullable Measurement before) {
			if (before == null) {
				return this;
			}
			long error = before.errorAt(this.at);
			boolean agree = Math.abs(this.offset - before.offset) <= this.error + error;
			return (agree && error < this.error) ? new Measurement(before.offset, error, this.at) : this;
		}

		/** How far the offset may be wrong at a nanoTime, in µs. */
		private long errorAt(long nanoTime) {
			return this.error + (nanoTime - this.at) / 1000 / DRIFT;
		}

		long micros() {
			return System.nanoTime() / 1000 + this.offset;
		}

		long millis() {
			return micros() / 1000;
		}

		long earliestMillis() {
			return (micros() - errorAt(System.nanoTime())) / 1000 - 1;
		}

	}

}
