package live.retwis.doctor;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one examination. */
class ExaminationCounts {

	private final AtomicLong keys = new AtomicLong();

	private final AtomicLong violations = new AtomicLong();

	private final AtomicLong fixed = new AtomicLong();

	private final AtomicLong leftover = new AtomicLong();

	private final AtomicLong removed = new AtomicLong();

	private final AtomicLong leftOut = new AtomicLong();

	/**
	 * Counts keys.
	 * @return whether the count has passed a multiple of {@code round}
	 */
	boolean looked(int batch, long round) {
		long after = this.keys.addAndGet(batch);
		return after / round > (after - batch) / round;
	}

	String looked() {
		return count(this.keys.get(), "key");
	}

	void found(Finding finding, boolean repaired) {
		(finding.leftover() ? this.leftover : this.violations).incrementAndGet();
		if (repaired) {
			(finding.leftover() ? this.removed : this.fixed).incrementAndGet();
		}
	}

	void leftOut() {
		this.leftOut.incrementAndGet();
	}

	/** The last line of the report. */
	String summary() {
		StringBuilder text = new StringBuilder("Looked at " + looked() + ": ");
		if (this.violations.get() == 0) {
			text.append("every rule holds.");
		}
		else {
			text.append(count(this.violations.get(), "violation"));
			text.append((this.fixed.get() > 0) ? String.format(Locale.ROOT, ", %,d fixed.", this.fixed.get()) : ".");
		}
		if (this.leftover.get() > 0) {
			text.append(" ").append(count(this.leftover.get(), "session")).append(" of log-outs past");
			text.append((this.removed.get() == this.leftover.get()) ? " removed." : "; --fix removes them.");
		}
		if (this.leftOut.get() > 0) {
			text.append(" Fan-out is behind: ")
				.append(count(this.leftOut.get(), "suspicion"))
				.append(" left out; --wait looks at them too.");
		}
		return text.toString();
	}

	private static String count(long number, String noun) {
		return String.format(Locale.ROOT, "%,d %s%s", number, noun, (number == 1) ? "" : "s");
	}

}
