package live.retwis.breaking;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * What a page has counted of its own stream. All times are ms since the epoch, by the
 * clock of the page's browser.
 *
 * @param stream path of the stream
 * @param now when the page sent this
 * @param from when it began to count
 * @param expected posts that the log has for the stream since then
 * @param shown how many of these it has shown
 * @param lost how many of these it has not shown
 * @param twice posts that the stream brought twice
 * @param gone posts that it has shown and that the log does not have
 * @param gaps times without a stream, oldest first
 * @param posts the latest posts, oldest first
 */
record PageStreamReport(String stream, long now, long from, int expected, int shown, int lost, int twice, int gone,
		List<Gap> gaps, List<Arrival> posts) {

	private static final int MOST_GAPS = 50;

	private static final int MOST_POSTS = 300;

	private static final int LONGEST_TEXT = 100;

	/**
	 * Whether it is within the size that the script of a page keeps to, and its numbers
	 * agree with each other. Nobody can tell whether they are true.
	 */
	boolean isSound() {
		return IntStream.of(this.expected, this.shown, this.lost, this.twice, this.gone).allMatch((one) -> one >= 0)
				&& this.shown + (long) this.lost <= this.expected && isShort();
	}

	private boolean isShort() {
		return this.stream != null && this.stream.length() <= LONGEST_TEXT && this.gaps != null && this.posts != null
				&& this.gaps.size() <= MOST_GAPS && this.posts.size() <= MOST_POSTS
				&& this.gaps.stream().allMatch((gap) -> gap != null && gap.isSound())
				&& this.posts.stream().allMatch(Objects::nonNull);
	}

	/** The longest time without a stream in ms; 0 for none. */
	long longestGap() {
		return this.gaps.stream().mapToLong((gap) -> gap.to() - gap.from()).max().orElse(0);
	}

	/**
	 * A time without a stream.
	 *
	 * @param from the last event before
	 * @param to the first event after
	 * @param before the instance before; null when it is not known
	 * @param after the instance after; null when it is not known
	 */
	record Gap(long from, long to, @Nullable String before, @Nullable String after) {

		boolean isSound() {
			return isShort(this.before) && isShort(this.after);
		}

		private static boolean isShort(@Nullable String name) {
			return name == null || name.length() <= LONGEST_TEXT;
		}

	}

	/**
	 * A post.
	 *
	 * @param made when it was committed, by the clock of the data node
	 * @param at when it arrived
	 * @param late whether it was made during a gap
	 */
	record Arrival(long made, long at, boolean late) {
	}

}
