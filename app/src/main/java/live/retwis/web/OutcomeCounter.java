package live.retwis.web;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts results. Each result has a counter with its name in the tag {@code result}. All
 * counters exist from the start, so the first result shows as a rise from 0, and counting
 * needs no look-up.
 *
 * @param <R> the possible results
 */
public final class OutcomeCounter<R extends Enum<R>> {

	private final Map<R, Counter> counters;

	/** Creates the counters, one for each result. */
	public OutcomeCounter(MeterRegistry meters, String name, Class<R> results) {
		this.counters = Arrays.stream(results.getEnumConstants())
			.collect(Collectors.toMap(Function.identity(), (result) -> meters.counter(name, "result", tag(result)),
					(one, other) -> one, () -> new EnumMap<>(results)));
	}

	private static String tag(Enum<?> result) {
		return result.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Adds one to the counter of the result. */
	public void count(R result) {
		Objects.requireNonNull(this.counters.get(result)).increment();
	}

}
