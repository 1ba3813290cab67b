package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes ids without a central counter: time-ordered, 64 bits, 13 characters that sort as
 * text. In rare cases two instances make the same id. So every write under a new id must
 * refuse an existing key.
 */
@Component
public class TimeSortedIdGenerator {

	/** Bits of an id below its millisecond. */
	private static final int BITS_IN_MILLISECOND = 22;

	/** Most ids that a request may name at once. */
	private static final int MOST_NAMED = 100;

	private final DataClock clock;

	private final AtomicLong now = new AtomicLong();

	private final TsidFactory factory = TsidFactory.builder()
		.withTimeFunction(this.now::get)
		.withRandom(RandomTokens.random())
		.build();

	TimeSortedIdGenerator(DataClock clock) {
		this.clock = clock;
	}

	/** A new id, and when it was made in ms of the data node's clock. */
	public Mono<NewId> next() {
		return this.clock.millis().map((millis) -> {
			this.now.accumulateAndGet(millis, Math::max);
			return new NewId(this.factory.create().toString(), millis);
		});
	}

	/**
	 * Makes the id of something that had a number elsewhere. The same time and number
	 * always give the same id. Ids begin in 2020. Earlier things get ids of that moment,
	 * in the order of their numbers.
	 * @param millis when the thing was made, in ms since the epoch, as a whole second;
	 * each second has room for numbers below four billion
	 * @param number its number, at least 1
	 */
	public static String of(long millis, long number) {
		return Tsid.from((Math.max(0, millis - Tsid.TSID_EPOCH) << BITS_IN_MILLISECOND) + number).toString();
	}

	/** Whether the text has the form of an id. Texts that do not are never looked up. */
	public static boolean isValid(String text) {
		return Tsid.isValid(text) && text.equals(text.toUpperCase(Locale.ROOT));
	}

	/**
	 * The ids that a request names, separated by commas: each once, at most
	 * {@value #MOST_NAMED}. Whatever has not the form of an id is left out.
	 */
	public static List<String> namedIn(String text) {
		return Stream.of(text.split(",")).filter(TimeSortedIdGenerator::isValid).distinct().limit(MOST_NAMED).toList();
	}

	/** Whether a valid id was made longer ago than the given time. */
	public Mono<Boolean> isOlder(String id, Duration time) {
		return this.clock.millis().map((now) -> now - millisOf(id) > time.toMillis());
	}

	/** When a valid id was made, in ms of the data node's clock. */
	public static long millisOf(String id) {
		return Tsid.from(id).getUnixMilliseconds();
	}

	/**
	 * A new id.
	 *
	 * @param id 13 characters
	 * @param millis when it was made, ms since the epoch
	 */
	public record NewId(String id, long millis) {
	}

}
