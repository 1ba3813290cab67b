package live.retwis.faults;

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
 */
record SeenEvent(LogPosition position, String event, String post, String original) {

	private static final String POST = "data-post-id";

	private static final String REPOST = "data-repost-id";

	/** An event that shows no repost. */
	SeenEvent(LogPosition position, String event, String post) {
		this(position, event, post, "");
	}

	static SeenEvent of(Event event) {
		LogPosition position = LogPosition.parse(event.id())
			.orElseThrow(() -> new AssertionError("no position: " + event.id()));
		if (!event.name().equals("post")) {
			return new SeenEvent(position, event.name(), "");
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
