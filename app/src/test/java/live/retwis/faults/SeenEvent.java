package live.retwis.faults;

import live.retwis.log.Position;
import live.retwis.testing.EventStream.Event;

/**
 * An event that a reader has received.
 *
 * @param position id of the event
 * @param event name of the event
 * @param post id of the shown post; empty for other events
 */
record SeenEvent(Position position, String event, String post) {

	static SeenEvent of(Event event) {
		Position position = Position.parse(event.id())
			.orElseThrow(() -> new AssertionError("no position: " + event.id()));
		return new SeenEvent(position, event.name(), event.name().equals("post")
				? event.data().replaceFirst("(?s)^.*?data-post-id=\"([^\"]*)\".*$", "$1") : "");
	}

	boolean isReset() {
		return this.event.equals("reset");
	}

	boolean isPost() {
		return !this.post.isEmpty();
	}

}
