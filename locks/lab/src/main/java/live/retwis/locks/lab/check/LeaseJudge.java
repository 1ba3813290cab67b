package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * No two owners at a time. Where the engine tells how long a lock may be relied on, every
 * overlap counts: a claim begins after the lock was had and ends before it may no longer
 * be relied on, so that it is never longer than the truth. Where it does not tell, the
 * end is a guess that is late by what the acquisition took, and an overlap under a tenth
 * of the lease does not count; the schedules that break such a lock overlap by half a
 * lease.
 */
public final class LeaseJudge {

	private static final int TOLERATED = 10;

	private LeaseJudge() {
	}

	/** What a history shows against it; none when it is safe. */
	public static List<LabViolation> violations(RoundRecord round) {
		List<LockClaim> claims = Claims.of(round);
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
		return new LabViolation("lease", Math.max(claim.from(), other.from()), Math.min(claim.until(), other.until()),
				"%s and %s both had the lock for %d ms".formatted(claim.client(), other.client(),
						claim.overlap(other) / 1_000_000));
	}

}
