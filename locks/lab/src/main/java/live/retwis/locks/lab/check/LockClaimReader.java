package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Finds in a history who could rely on the lock, and when. An acquisition that never
 * returned claims nothing. A claim ends when its release begins, when its validity is
 * over, or when its client dies. Where the engine tells no validity, it counts as a whole
 * lease after the return.
 */
final class LockClaimReader {

	private final List<LockClaim> claims = new ArrayList<>();

	/**
	 * Owners that gave the lock back, lost it or died. Events of them that come later
	 * change nothing.
	 */
	private final Set<String> over = new HashSet<>();

	private final long lease;

	private LockClaimReader(long lease) {
		this.lease = lease;
	}

	static List<LockClaim> of(RoundRecord round) {
		LockClaimReader reader = new LockClaimReader(round.leaseNanos());
		round.events().forEach(reader::read);
		return List.copyOf(reader.claims);
	}

	private void read(HistoryEvent event) {
		if (event.ended("acquire", "acquired")) {
			this.claims
				.add(new LockClaim(event.subject(), event.detail("owner"), event.at(), until(event), isTold(event)));
		}
		else if (event.is(Kind.RETURN, "extend")) {
			extended(event);
		}
		else if (event.is(Kind.INVOKE, "release")) {
			end(ofOwner(event), event.at());
		}
		else if (event.kind() == Kind.DEATH) {
			end((claim) -> claim.client().equals(event.subject()), event.at());
		}
	}

	private static boolean isTold(HistoryEvent event) {
		return !event.detail(HistoryEvent.UNTIL).isEmpty();
	}

	private long until(HistoryEvent event) {
		return isTold(event) ? Long.parseLong(event.detail(HistoryEvent.UNTIL)) : event.at() + this.lease;
	}

	/**
	 * An extension after the end of a claim begins a new one, because nothing was claimed
	 * in between.
	 */
	private void extended(HistoryEvent event) {
		if (event.detail("outcome").equals("expired")) {
			end(ofOwner(event), event.at());
		}
		else if (event.detail("outcome").equals("extended") && !this.over.contains(event.detail("owner"))) {
			boolean lapsed = this.claims.stream()
				.filter(ofOwner(event))
				.allMatch((claim) -> claim.until() < event.at());
			if (lapsed) {
				this.claims.add(
						new LockClaim(event.subject(), event.detail("owner"), event.at(), until(event), isTold(event)));
			}
			else {
				change(ofOwner(event).and((claim) -> claim.until() >= event.at()),
						(claim) -> claim.reaching(until(event)));
			}
		}
	}

	private void end(Predicate<LockClaim> which, long at) {
		this.claims.stream().filter(which).forEach((claim) -> this.over.add(claim.owner()));
		change(which, (claim) -> claim.endingBy(at));
	}

	private static Predicate<LockClaim> ofOwner(HistoryEvent event) {
		return (claim) -> claim.owner().equals(event.detail("owner"));
	}

	private void change(Predicate<LockClaim> which, UnaryOperator<LockClaim> how) {
		this.claims.replaceAll((claim) -> which.test(claim) ? how.apply(claim) : claim);
	}

}
