package live.retwis.locks.lab.design;

import java.util.List;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * A schedule that breaks a design.
 *
 * @param seed decides everything but the faults: when clients begin, how long they work,
 * and how long each message takes
 * @param faults what goes wrong; none of them can be left out
 * @param causes the weaknesses of the design without which nothing breaks: when one of
 * them alone is mended, the same seed and the same faults do no harm
 * @param record what happened
 */
public record Counterexample(long seed, List<ScheduledFault> faults, List<Weakness> causes, RoundRecord record) {

	public Counterexample {
		faults = List.copyOf(faults);
		causes = List.copyOf(causes);
	}

}
