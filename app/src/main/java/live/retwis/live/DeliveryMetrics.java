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
 * How entries of the log travel through this instance, as metrics:
 * {@code retwis.live.received} and {@code retwis.live.written}, each the time since the
 * commit by the data node's clock; {@code retwis.live.gaps} and
 * {@code retwis.live.replays}, with the entries and events in each;
 * {@code retwis.live.subscriptions.replaced}, {@code retwis.live.cut.off},
 * {@code retwis.live.resets}, {@code retwis.live.missed}, {@code retwis.live.restarts}
 * and {@code retwis.live.streams} by kind. An entry is measured once, however many
 * streams it goes to.
 */
@Component
class DeliveryMetrics {

	/** Percentiles and maximum are those of so long. */
	private static final Duration WINDOW = Duration.ofMinutes(5);

	/** Few, and alike on all instances, so that percentiles of all can be computed. */
	private static final Duration[] BUCKETS = LongStream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000)
		.mapToObj(Duration::ofMillis)
		.toArray(Duration[]::new);

	private final Map<StreamFilter.Kind, AtomicInteger> streams = new EnumMap<>(StreamFilter.Kind.class);

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
		for (StreamFilter.Kind kind : StreamFilter.Kind.values()) {
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

	/** This instance knows of an entry. */
	void received(LogEntry entry) {
		record(this.received, entry);
	}

	/** The last stream that wants an entry has it. */
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

	/** So many entries were not told by the bus, and read from the log. */
	void gap(int entries) {
		this.gaps.record(entries);
	}

	/** A subscription to the bus was dead. */
	void replaced() {
		this.replaced.increment();
	}

	/** A subscriber lagged too far behind. */
	void cutOff() {
		this.cutOff.increment();
	}

	/** So many streams had to start anew. */
	void reset(int streams) {
		this.resets.increment(streams);
	}

	/** A post could not be read in time; the streams that want it are reset. */
	void missed() {
		this.missed.increment();
	}

	/** The feed had ended by an error, and begins again. */
	void restarted() {
		this.restarts.increment();
	}

	/** How often the feed had ended. */
	long restarts() {
		return (long) this.restarts.count();
	}

	/** How many posts could not be read in time. */
	long missedPosts() {
		return (long) this.missed.count();
	}

	/** A stream that came back was sent so many events of before. */
	void replayed(int events) {
		this.replays.record(events);
	}

	/** A stream has joined. */
	void opened(StreamFilter.Kind kind) {
		count(kind).incrementAndGet();
	}

	/** A stream that had joined is over. */
	void closed(StreamFilter.Kind kind) {
		count(kind).decrementAndGet();
	}

	private AtomicInteger count(StreamFilter.Kind kind) {
		return Objects.requireNonNull(this.streams.get(kind));
	}

	/** How many streams of that kind are open. */
	int streams(StreamFilter.Kind kind) {
		return count(kind).get();
	}

	/** From commit until this instance knew. */
	Delays receivedAfter() {
		return Delays.of(this.received);
	}

	/** From commit until the last stream had it. */
	Delays writtenAfter() {
		return Delays.of(this.written);
	}

	/**
	 * Delays of the last five minutes in ms; all are 0 when no entry came.
	 *
	 * @param p50 half of all entries took no longer
	 * @param p99 99 of 100 took no longer
	 * @param max the longest
	 */
	record Delays(double p50, double p99, double max) {

		private static Delays of(Timer timer) {
			HistogramSnapshot snapshot = timer.takeSnapshot();
			return new Delays(tenths(snapshot.percentileValues()[0].value(MILLISECONDS)),
					tenths(snapshot.percentileValues()[1].value(MILLISECONDS)), tenths(snapshot.max(MILLISECONDS)));
		}

		/** Up, so that what took next to no time is no 0. */
		private static double tenths(double millis) {
			return Math.ceil(millis * 10) / 10;
		}

	}

}
