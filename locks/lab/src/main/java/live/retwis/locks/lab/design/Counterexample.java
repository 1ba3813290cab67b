package live.retwis.locks.lab.design;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * A schedule that breaks a design.
 *
 * @param seed decides everything but the faults: when clients begin, how long they work,
 * and how long each message takes
 * @param faults what goes wrong; none of them can be left out
 * @param mendings for each weakness of the design, what the same seed and the same faults
 * do when it alone is mended
 * @param record what happened
 */
public record Counterexample(long seed, List<ScheduledFault> faults, Map<Weakness, MendingOutcome> mendings,
		RoundRecord record) {

	public Counterexample {
		faults = List.copyOf(faults);
		Map<Weakness, MendingOutcome> ordered = new EnumMap<>(Weakness.class);
		ordered.putAll(mendings);
		mendings = Collections.unmodifiableMap(ordered);
	}

}
