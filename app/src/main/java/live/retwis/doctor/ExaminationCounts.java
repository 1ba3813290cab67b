package live.retwis.doctor;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of one examination. */
class ExaminationCounts {

	private final AtomicLong keys = new AtomicLong();

	private final AtomicLong authors = new AtomicLong();

	private final AtomicLong violations = new AtomicLong();

	private final AtomicLong fixed = new AtomicLong();

	private final AtomicLong leftover = new AtomicLong();

	private final AtomicLong removed = new AtomicLong();

	private final AtomicLong leftOut = new AtomicLong();

	private final AtomicLong unanswered = new AtomicLong();

	/** All keys are counted from here on. */
	void beginWalk() {
		this.keys.set(0);
		this.authors.set(0);
	}

	/**
	 * Counts keys, and authors in the archive.
	 * @return whether the count of keys has passed a multiple of {@code round}
	 */
	boolean add(List<String> batch, long round) {
		long archived = batch.stream().filter((key) -> key.startsWith(ArchiveReader.POSTS_OF)).count();
		this.authors.addAndGet(archived);
		long some = batch.size() - archived;
		long after = this.keys.addAndGet(some);
		return after / round > (after - some) / round;
	}

	String checked() {
		return count(this.keys.get(), "key")
				+ ((this.authors.get() > 0) ? " and " + count(this.authors.get(), "author") + " in the archive" : "");
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

	void unanswered(long times) {
		this.unanswered.addAndGet(times);
	}

	/** Whether everything was checked. */
	boolean isComplete() {
		return this.leftOut.get() == 0 && this.unanswered.get() == 0;
	}

	/** The last line of the report. */
	String summary() {
		StringBuilder text = new StringBuilder("Checked " + checked() + ": ");
		if (this.violations.get() == 0) {
			text.append("every rule holds.");
		}
		else {
			text.append(count(this.violations.get(), "violation"));
			text.append((this.fixed.get() > 0) ? String.format(Locale.ROOT, ", %,d fixed.", this.fixed.get()) : ".");
		}
		if (this.leftover.get() > 0) {
			boolean allRemoved = this.removed.get() == this.leftover.get();
			text.append(allRemoved ? " Removed " : " Found ").append(count(this.leftover.get(), "ended session"));
			text.append(allRemoved ? "." : "; --fix removes them.");
		}
		if (this.leftOut.get() > 0) {
			text.append(" Fan-out is behind, so this leaves out ")
				.append(count(this.leftOut.get(), "possible violation"))
				.append("; --wait checks them too.");
		}
		if (this.unanswered.get() > 0) {
			text.append(" The archive did not answer ")
				.append(count(this.unanswered.get(), "time"))
				.append(", so not everything is checked.");
		}
		return text.toString();
	}

	private static String count(long number, String noun) {
		return String.format(Locale.ROOT, "%,d %s%s", number, noun, (number == 1) ? "" : "s");
	}

}
