package live.retwis.locks.lab.check;

/**
 * A time in which an owner may rely on having the lock.
 *
 * @param client whose claim it is
 * @param owner the acquisition of that client
 * @param from nanoseconds since the round began; the acquisition had returned then
 * @param until the end, exclusive, in the same unit
 * @param told whether the engine told the end; else it is a guess
 */
public record LockClaim(String client, String owner, long from, long until, boolean told) {

	/** For how long both claims hold. Negative when there is time between them. */
	long overlap(LockClaim other) {
		return Math.min(this.until, other.until) - Math.max(this.from, other.from);
	}

	LockClaim endingBy(long end) {
		return (end < this.until)
				? new LockClaim(this.client, this.owner, this.from, Math.max(end, this.from), this.told) : this;
	}

	LockClaim reaching(long end) {
		return (end > this.until) ? new LockClaim(this.client, this.owner, this.from, end, this.told) : this;
	}

}
