package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.words.LabWords;

/**
 * Finds two owners at the same time.
 * <p>
 * Where the engine tells how long a lock may be relied on, every overlap counts. A claim
 * begins after the acquisition and ends before the lock may no longer be relied on. So it
 * is never longer than the truth.
 * <p>
 * Where the engine does not tell, the end is a guess. It is too late by the time that the
 * acquisition took. So an overlap of less than a tenth of the lease does not count. The
 * schedules that break such a lock overlap by half a lease.
 */
public final class MutualExclusionChecker {

	private static final int TOLERATED = 10;

	private MutualExclusionChecker() {
	}

	/** The violations in a history. Empty when the lock was safe. */
	public static List<LabViolation> violations(RoundRecord round) {
		List<LockClaim> claims = LockClaimReader.of(round);
		List<LabViolation> violations = new ArrayList<>();
		for (int i = 0; i < claims.size(); i++) {
			for (LockClaim other : claims.subList(i + 1, claims.size())) {
				LockClaim claim = claims.get(i);
				if (!claim.owner().equals(other.owner()) && claim.overlap(other) >= least(claim, other, round)) {
					violations.add(violation(claim, other));
				}
			}
		}
		return violations;
	}

	/** How long an overlap must be to count. */
	private static long least(LockClaim claim, LockClaim other, RoundRecord round) {
		return (claim.told() && other.told()) ? 1 : round.leaseNanos() / TOLERATED;
	}

	private static LabViolation violation(LockClaim claim, LockClaim other) {
		return LabViolation.of("lease", Math.max(claim.from(), other.from()), Math.min(claim.until(), other.until()),
				"violation.both", claim.client(), other.client(), LabWords.millis(claim.overlap(other)));
	}

}
