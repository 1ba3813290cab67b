package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * No two owners at a time. An overlap under a tenth of the lease does not count: the
 * stamps are taken beside the operations, and the schedules that break a lock overlap by
 * half a lease.
 */
public final class LeaseJudge {

	private static final int TOLERATED = 10;

	private LeaseJudge() {
	}

	/** What a history shows against it; none when it is safe. */
	public static List<Violation> violations(RoundRecord round) {
		List<Claim> claims = Claims.of(round);
		List<Violation> violations = new ArrayList<>();
		for (int i = 0; i < claims.size(); i++) {
			for (Claim other : claims.subList(i + 1, claims.size())) {
				Claim claim = claims.get(i);
				if (!claim.owner().equals(other.owner()) && claim.overlap(other) >= round.leaseNanos() / TOLERATED) {
					violations.add(violation(claim, other));
				}
			}
		}
		return violations;
	}

	private static Violation violation(Claim claim, Claim other) {
		return new Violation("lease", Math.max(claim.from(), other.from()), Math.min(claim.until(), other.until()),
				"%s and %s both had the lock for %d ms".formatted(claim.client(), other.client(),
						claim.overlap(other) / 1_000_000));
	}

}
