package live.retwis.faults;

/**
 * A time whose writes may be lost.
 *
 * @param began its begin, by {@link System#nanoTime()}
 * @param ended its end, by {@link System#nanoTime()}
 */
record Cut(long began, long ended) {

	boolean mayLose(Acknowledgement write) {
		return write.answered() - this.began > 0 && write.sent() - this.ended < 0;
	}

}
