package live.retwis.browser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * What pages asked for and did not get, in the words of the browser, such as
 * {@code net::ERR_CONNECTION_RESET}. A page whose script did not come looks whole and
 * does nothing; only this tells why.
 */
final class FailedLoads {

	/** The event of WebDriver BiDi that tells of one. */
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

	/** The latest of a window or tab, one line each, oldest first. */
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
