package live.retwis.live;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import live.retwis.log.LogEntry;
import live.retwis.redis.DataClock;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Metrics of how log entries travel through this instance. {@code retwis.live.received}
 * and {@code retwis.live.written} measure the time since the commit, by the data node's
 * clock. {@code retwis.live.gaps} and {@code retwis.live.replays} count gaps and replays,
 * with the entries or events in each. The others are
 * {@code retwis.live.subscriptions.replaced}, {@code retwis.live.cut.off},
 * {@code retwis.live.resets}, {@code retwis.live.missed}, {@code retwis.live.restarts},
 * and {@code retwis.live.streams} by kind. Each entry is measured once, however many
 * streams it goes to.
 */
@Component
class DeliveryMetrics {

	/** Percentiles and maximum cover this period. */
	private static final Duration WINDOW = Duration.ofMinutes(5);

	/**
	 * Histogram buckets. They are few, and the same on all instances, so that percentiles
	 * over all instances can be computed.
	 */
	private static final Duration[] BUCKETS = LongStream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000)
		.mapToObj(Duration::ofMillis)
		.toArray(Duration[]::new);

	private final Map<StreamSelection.Kind, AtomicInteger> streams = new EnumMap<>(StreamSelection.Kind.class);

	/** The data node's time in µs. */
	private final Supplier<OptionalLong> clock;

	private final Timer received;

	private final Timer written;

	private final DistributionSummary gaps;

	private final DistributionSummary replays;

	private final Counter replaced;

	private final Counter cutOff;

	private final Counter resets;

	private final Counter missed;

	private final Counter restarts;

	@Autowired
	DeliveryMetrics(MeterRegistry meters, DataClock clock) {
		this(meters, clock::knownMicros);
	}

	DeliveryMetrics(MeterRegistry meters, Supplier<OptionalLong> clock) {
		this.clock = clock;
		this.received = timer(meters, "retwis.live.received");
		this.written = timer(meters, "retwis.live.written");
		this.gaps = meters.summary("retwis.live.gaps");
		this.replays = meters.summary("retwis.live.replays");
		this.replaced = meters.counter("retwis.live.subscriptions.replaced");
		this.cutOff = meters.counter("retwis.live.cut.off");
		this.resets = meters.counter("retwis.live.resets");
		this.missed = meters.counter("retwis.live.missed");
		this.restarts = meters.counter("retwis.live.restarts");
		for (StreamSelection.Kind kind : StreamSelection.Kind.values()) {
			AtomicInteger open = new AtomicInteger();
			this.streams.put(kind, open);
			Gauge.builder("retwis.live.streams", open, AtomicInteger::get)
				.tag("kind", kind.name().toLowerCase(Locale.ROOT))
				.register(meters);
		}
	}

	private static Timer timer(MeterRegistry meters, String name) {
		return Timer.builder(name)
			.publishPercentiles(0.5, 0.99)
			.serviceLevelObjectives(BUCKETS)
			.percentilePrecision(2)
			.distributionStatisticExpiry(WINDOW)
			.register(meters);
	}

	/** This instance has learned of an entry. */
	void received(LogEntry entry) {
		record(this.received, entry);
	}

	/** An entry was written to the last stream that wants it. */
	void written(LogEntry entry) {
		record(this.written, entry);
	}

	private void record(Timer timer, LogEntry entry) {
		now().ifPresent((now) -> timer.record(Math.max(1, now - MILLISECONDS.toMicros(entry.position().millis())),
				MICROSECONDS));
	}

	/** The data node's time in µs; empty when it was never measured. */
	OptionalLong now() {
		return this.clock.get();
	}

	/**
	 * Counts a gap: entries that the bus did not announce and that were read from the
	 * log.
	 */
	void gap(int entries) {
		this.gaps.record(entries);
	}

	/** Counts a dead subscription to the bus that was replaced. */
	void replaced() {
		this.replaced.increment();
	}

	/** Counts a subscriber that was cut off because it lagged too far behind. */
	void cutOff() {
		this.cutOff.increment();
	}

	/** Counts streams that had to start anew. */
	void reset(int streams) {
		this.resets.increment(streams);
	}

	/**
	 * Counts a post that could not be read in time. The streams that want it are reset.
	 */
	void missed() {
		this.missed.increment();
	}

	/** Counts a restart of the feed after an error. */
	void restarted() {
		this.restarts.increment();
	}

	/** How often the feed was restarted. */
	long restarts() {
		return (long) this.restarts.count();
	}

	/** How many posts could not be read in time. */
	long missedPosts() {
		return (long) this.missed.count();
	}

	/** Counts a replay: the missed events that a resumed stream was sent. */
	void replayed(int events) {
		this.replays.record(events);
	}

	/** Counts a stream that has joined. */
	void opened(StreamSelection.Kind kind) {
		count(kind).incrementAndGet();
	}

	/** Counts a stream that had joined and is over. */
	void closed(StreamSelection.Kind kind) {
		count(kind).decrementAndGet();
	}

	private AtomicInteger count(StreamSelection.Kind kind) {
		return Objects.requireNonNull(this.streams.get(kind));
	}

	/** How many streams of the kind are open. */
	int streams(StreamSelection.Kind kind) {
		return count(kind).get();
	}

	/** Delays from the commit until this instance received the entry. */
	Delays receivedAfter() {
		return Delays.of(this.received);
	}

	/** Delays from the commit until the last stream was written. */
	Delays writtenAfter() {
		return Delays.of(this.written);
	}

	/**
	 * Delays of the last five minutes in ms; all 0 when there was no entry.
	 *
	 * @param p50 half of all entries took at most this long
	 * @param p99 99 of 100 entries took at most this long
	 * @param max the longest delay
	 */
	record Delays(double p50, double p99, double max) {

		private static Delays of(Timer timer) {
			HistogramSnapshot snapshot = timer.takeSnapshot();
			return new Delays(tenths(snapshot.percentileValues()[0].value(MILLISECONDS)),
					tenths(snapshot.percentileValues()[1].value(MILLISECONDS)), tenths(snapshot.max(MILLISECONDS)));
		}

		/** Rounds up to tenths, so that a very short delay is not shown as 0. */
		private static double tenths(double millis) {
			return Math.ceil(millis * 10) / 10;
		}

	}

}
