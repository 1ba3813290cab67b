package live.retwis.locks.lab.check;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * What a round showed.
 *
 * @param lease whether two owners had the lock at the same time
 * @param effect whether an increment was lost
 * @param progress whether anybody got the lock before the faults were healed
 * @param recovered whether somebody got the lock within a lease after the faults were
 * healed; true when nobody tried
 * @param violations what was found
 */
public record RoundVerdict(Safety lease, Safety effect, Liveness progress, boolean recovered,
		List<LabViolation> violations) {

	/** Judges a history. The same history always has the same verdict. */
	public static RoundVerdict of(RoundRecord round) {
		List<LabViolation> lease = MutualExclusionChecker.violations(round);
		List<LabViolation> effect = LostUpdateChecker.violations(round).orElse(List.of());
		boolean effectJudged = LostUpdateChecker.violations(round).isPresent();
		return new RoundVerdict(safety(lease), effectJudged ? safety(effect) : Safety.NOT_JUDGED, progress(round),
				recovered(round), Stream.concat(lease.stream(), effect.stream()).toList());
	}

	private static Safety safety(List<LabViolation> violations) {
		return violations.isEmpty() ? Safety.SAFE : Safety.UNSAFE;
	}

	private static long healed(RoundRecord round) {
		return round.events()
			.stream()
			.filter((event) -> event.kind() == Kind.HEALED)
			.mapToLong(HistoryEvent::at)
			.findFirst()
			.orElse(Long.MAX_VALUE);
	}

	private static Liveness progress(RoundRecord round) {
		boolean acquired = acquisitions(round).anyMatch((answer) -> answer.at() < healed(round));
		return acquired ? Liveness.ACQUIRED : Liveness.NONE;
	}

	private static boolean recovered(RoundRecord round) {
		long healed = healed(round);
		boolean asked = round.events()
			.stream()
			.anyMatch((event) -> event.is(Kind.INVOKE, "acquire") && event.at() >= healed);
		return !asked || acquisitions(round)
			.anyMatch((answer) -> invoked(round, answer) >= healed && answer.at() - healed <= round.leaseNanos());
	}

	private static Stream<HistoryEvent> acquisitions(RoundRecord round) {
		return round.events().stream().filter((event) -> event.ended("acquire", "acquired"));
	}

	private static long invoked(RoundRecord round, HistoryEvent answer) {
		return round.events()
			.stream()
			.filter((event) -> event.kind() == Kind.INVOKE && event.operation() == answer.operation())
			.mapToLong(HistoryEvent::at)
			.findFirst()
			.orElse(answer.at());
	}

	@Override
	public String toString() {
		return "lease " + this.lease + ", effect " + this.effect + ", " + this.progress
				+ (this.recovered ? "" : ", not recovered");
	}

}
