package live.retwis.browser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import tools.jackson.databind.JsonNode;

/**
 * The latest reports of one kind that the browser has sent about pages.
 *
 * @see <a href="https://w3c.github.io/webdriver-bidi/">WebDriver BiDi</a>
 */
final class PageReports {

	private static final int KEPT = 50;

	private final String event;

	private final Function<JsonNode, PageReport> reader;

	private final Predicate<JsonNode> kept;

	/** Guarded by itself. */
	private final Deque<PageReport> latest = new ArrayDeque<>();

	private PageReports(String event, Predicate<JsonNode> kept, Function<JsonNode, PageReport> reader) {
		this.event = event;
		this.kept = kept;
		this.reader = reader;
	}

	/**
	 * Addresses that pages could not load, with the browser's error, such as {@code
	 * net::ERR_CONNECTION_RESET}. A page without its script looks complete but does
	 * nothing. Only this list tells why.
	 */
	static PageReports failedLoads() {
		return new PageReports("network.fetchError", (report) -> true,
				(report) -> new PageReport(report.path("context").asString(),
						report.at("/request/url").asString() + ": " + report.path("errorText").asString()));
	}

	/**
	 * Errors that no script has caught, and those that scripts wrote to the console.
	 * Firefox also reports what it has blocked or could not load. That comes from no
	 * script.
	 */
	static PageReports scriptErrors() {
		return new PageReports("log.entryAdded", (report) -> report.path("level").asString().equals("error")
				&& (report.path("type").asString().equals("console") || !report.at("/stackTrace/callFrames").isEmpty()),
				(report) -> new PageReport(report.at("/source/context").asString(),
						report.path("text").asString() + " " + report.at("/stackTrace/callFrames")));
	}

	/** The browser's name for these reports. */
	String event() {
		return this.event;
	}

	void add(JsonNode report) {
		if (this.kept.test(report)) {
			synchronized (this.latest) {
				if (this.latest.size() == KEPT) {
					this.latest.removeFirst();
				}
				this.latest.addLast(this.reader.apply(report));
			}
		}
	}

	/** The latest reports of a window or tab, oldest first. */
	List<String> in(String context) {
		synchronized (this.latest) {
			return this.latest.stream()
				.filter((report) -> report.context().equals(context))
				.map(PageReport::text)
				.toList();
		}
	}

	private record PageReport(String context, String text) {
	}

}
