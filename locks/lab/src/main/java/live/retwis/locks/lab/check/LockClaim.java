package live.retwis.locks.lab.check;

/**
 * A time in which an owner may rely on having the lock.
 *
 * @param client who
 * @param owner which acquisition of it
 * @param from nanoseconds since the round began; the acquisition had returned
 * @param until its end, exclusive
 * @param told whether the engine told when it ends; else that is a guess
 */
public record LockClaim(String client, String owner, long from, long until, boolean told) {

	/** How long both last together; negative when there is time between them. */
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
