package live.retwis.faults;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import live.retwis.testing.EventStream.Event;

/**
 * An event that a reader has received.
 *
 * @param position id of the event
 * @param event name of the event
 * @param post id of the shown post, or of the repost that shows it; empty for other
 * events
 */
record SeenEvent(Position position, String event, String post) {

	static SeenEvent of(Event event) {
		Position position = Position.parse(event.id())
			.orElseThrow(() -> new AssertionError("no position: " + event.id()));
		return new SeenEvent(position, event.name(), event.name().equals("post") ? post(event.data()) : "");
	}

	private static String post(String article) {
		String id = article.contains("data-repost-id=") ? "data-repost-id" : "data-post-id";
		return article.replaceFirst("(?s)^.*? " + id + "=\"([^\"]*)\".*$", "$1");
	}

	/**
	 * Whether it tells of entries that workers wrote after the log was read. They go on
	 * for a while when nobody posts any more.
	 */
	boolean isDerivedAfter(LogEntry last) {
		return !isPost() && !isReset() && this.position.compareTo(last.position()) > 0;
	}

	boolean isReset() {
		return this.event.equals("reset");
	}

	boolean isPost() {
		return !this.post.isEmpty();
	}

}
