package live.retwis.faults;

import java.util.Set;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.testing.EventStream.Event;

/**
 * An event that a reader has received.
 *
 * @param position id of the event
 * @param event name of the event
 * @param post id of the shown post, or of the repost that shows it; empty for other
 * events
 * @param original id of the post that a repost shows; empty for other events
 * @param number data of an event with the counts of a post or with the reader's unread
 * notifications; empty for other events
 */
record SeenEvent(LogPosition position, String event, String post, String original, String number) {

	private static final Set<String> NUMBERS = Set.of("counts", "notify");

	private static final String POST = "data-post-id";

	private static final String REPOST = "data-repost-id";

	/** An event that shows no repost. */
	SeenEvent(LogPosition position, String event, String post) {
		this(position, event, post, "");
	}

	/** An event that has no number. */
	SeenEvent(LogPosition position, String event, String post, String original) {
		this(position, event, post, original, "");
	}

	static SeenEvent of(Event event) {
		LogPosition position = LogPosition.parse(event.id())
			.orElseThrow(() -> new AssertionError("no position: " + event.id()));
		if (!event.name().equals("post")) {
			return new SeenEvent(position, event.name(), "", "", NUMBERS.contains(event.name()) ? event.data() : "");
		}
		return event.data().contains(REPOST + "=")
				? new SeenEvent(position, event.name(), id(REPOST, event.data()), id(POST, event.data()))
				: new SeenEvent(position, event.name(), id(POST, event.data()));
	}

	private static String id(String attribute, String article) {
		return article.replaceFirst("(?s)^.*? " + attribute + "=\"([^\"]*)\".*$", "$1");
	}

	/**
	 * Whether it tells of entries that workers wrote after the log was read. They go on
	 * for a while when nobody posts any more.
	 */
	boolean isDerivedAfter(LogEntry last) {
		return !isPost() && !isReset() && this.position.compareTo(last.position()) > 0;
	}

	/** Whether it shows the post or the repost of the entry. */
	boolean shows(LogEntry entry) {
		return this.post.equals(entry.post()) && this.original.equals(entry.repostOf().orElse(""));
	}

	boolean isReset() {
		return this.event.equals("reset");
	}

	boolean isPost() {
		return !this.post.isEmpty();
	}

}
