package live.retwis.browser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * Addresses that pages could not load, with the browser's error, such as {@code
 * net::ERR_CONNECTION_RESET}. A page without its script looks complete but does nothing.
 * Only this list tells why.
 */
final class FailedLoads {

	/** The event of WebDriver BiDi for a failed load. */
	static final String EVENT = "network.fetchError";

	private static final int KEPT = 50;

	/** Guarded by itself. */
	private final Deque<FailedLoad> latest = new ArrayDeque<>();

	void add(JsonNode event) {
		synchronized (this.latest) {
			if (this.latest.size() == KEPT) {
				this.latest.removeFirst();
			}
			this.latest.addLast(new FailedLoad(event.path("context").asString(),
					event.at("/request/url").asString() + ": " + event.path("errorText").asString()));
		}
	}

	/** The latest failed loads of a window or tab, one per line, oldest first. */
	List<String> in(String context) {
		synchronized (this.latest) {
			return this.latest.stream()
				.filter((load) -> load.context().equals(context))
				.map(FailedLoad::reason)
				.toList();
		}
	}

	private record FailedLoad(String context, String reason) {
	}

}
