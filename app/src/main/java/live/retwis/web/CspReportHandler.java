package live.retwis.web;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.logging.LogSanitizer;
import live.retwis.logging.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Takes reports of browsers that have kept a page from loading or doing something that
 * its Content-Security-Policy does not allow. Anybody can send anything here. So reports
 * are counted, as {@code retwis.csp.reports}. One report a minute is logged: what was not
 * allowed, from where, and on which page, without queries and without what the page had
 * in it. One unreadable report a minute is logged, too. It does not keep the others out
 * of the log.
 *
 * @see <a href="https://www.w3.org/TR/CSP3/#reporting">CSP 3, reporting</a>
 */
@Component
class CspReportHandler implements RouteContributor {

	static final String PATH = "/csp-reports";

	private static final Logger log = LoggerFactory.getLogger(CspReportHandler.class);

	private static final int MOST_BYTES = 8 * 1024;

	private static final String UNREADABLE = "a report that cannot be read";

	private final Counter reports;

	private final OncePerMinute logged = new OncePerMinute();

	private final OncePerMinute loggedUnreadable = new OncePerMinute();

	CspReportHandler(MeterRegistry meters) {
		this.reports = meters.counter("retwis.csp.reports");
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.receive(PATH, this::receive);
	}

	private Mono<ServerResponse> receive(ServerRequest request) {
		this.reports.increment();
		return DataBufferUtils.join(request.exchange().getRequest().getBody(), MOST_BYTES)
			.doOnNext((report) -> log(summary(text(report))))
			.then(ServerResponse.noContent().build());
	}

	private void log(String summary) {
		if ((summary.equals(UNREADABLE) ? this.loggedUnreadable : this.logged).isDue()) {
			log.info("A page was kept from what its policy does not allow: {}", LogSanitizer.printable(summary));
		}
	}

	private static String text(DataBuffer report) {
		String text = report.toString(StandardCharsets.UTF_8);
		DataBufferUtils.release(report);
		return text;
	}

	/** A browser sends one report, or a list of them with other names. */
	static String summary(String report) {
		try {
			JsonNode read = JsonMapper.shared().readTree(report);
			JsonNode body = read.isArray() ? read.path(0).path("body") : read.path("csp-report");
			String directive = body.path("effectiveDirective").asString(body.path("effective-directive").asString(""));
			return directive.isEmpty() ? UNREADABLE
					: directive + ", from "
							+ origin(body.path("blockedURL").asString(body.path("blocked-uri").asString(""))) + ", on "
							+ path(body.path("documentURL").asString(body.path("document-uri").asString("")));
		}
		catch (JacksonException ex) {
			return UNREADABLE;
		}
	}

	/** Scheme and host of an address; else a word such as {@code inline}. */
	private static String origin(String blocked) {
		return blocked.matches("[a-z-]{1,20}") ? blocked
				: uri(blocked).filter((uri) -> uri.getHost() != null)
					.map((uri) -> uri.getScheme() + "://" + uri.getHost())
					.orElse("?");
	}

	private static String path(String document) {
		return uri(document).map(URI::getRawPath).orElse("?");
	}

	private static Optional<URI> uri(String text) {
		try {
			return Optional.of(new URI(text));
		}
		catch (URISyntaxException ex) {
			return Optional.empty();
		}
	}

}
