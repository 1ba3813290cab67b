package live.retwis.live;

import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

/**
 * Code that several stream tests share.
 */
final class EventStreams {

	private EventStreams() {
	}

	/** The ids of the posts among the events, in order. */
	static List<String> postIds(List<Event> events) {
		return events.stream()
			.filter((event) -> event.name().equals("post"))
			.map((event) -> event.data().replaceFirst("(?s)^.*?data-post-id=\"([^\"]*)\".*$", "$1"))
			.toList();
	}

	/** Opens a stream at another instance, with the visitor's session. */
	static EventStream open(Site site, String path, Visitor visitor, String... headers) {
		List<String> all = new ArrayList<>(List.of("Cookie", visitor.cookieHeader()));
		all.addAll(List.of(headers));
		return Visitor.of(site).open(path, all.toArray(String[]::new));
	}

}
