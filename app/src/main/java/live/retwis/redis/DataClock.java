package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import live.retwis.background.PeriodicTask;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The time of the data node, by a measured offset from this machine's monotonic clock:
 * instances whose wall clocks are minutes apart, or jump, agree all the same.
 */
@Component
public class DataClock extends PeriodicTask {

	/** Clocks of two machines drift apart by a millisecond or less in this time. */
	private static final Duration MEASURE_EVERY = Duration.ofSeconds(10);

	private final DataNode data;

	/** Data node's epoch minus nanoTime, in µs. */
	private volatile @Nullable Long offset;

	DataClock(DataNode data) {
		super(MEASURE_EVERY);
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
