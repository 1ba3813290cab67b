package live.retwis.web;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** What browsers, or others, report to {@code /csp-reports}. */
class CspReportTests {

	static Stream<Arguments> reports() {
		return Stream.of(Arguments.of("""
				{"csp-report": {"effective-directive": "img-src", "blocked-uri": "https://evil.example/a?secret=1",
				 "document-uri": "https://retwis.example/@ann?secret=2", "script-sample": "secret"}}""",
				"img-src, from https://evil.example, on /@ann"),
				Arguments.of("""
						[{"type": "csp-violation", "url": "https://retwis.example/home?secret", "body": {
						 "effectiveDirective": "script-src-elem", "blockedURL": "inline",
						 "documentURL": "https://retwis.example/home?secret", "sample": "secret"}}]""",
						"script-src-elem, from inline, on /home"),
				Arguments.of("_csrf=secret&password=secret", "a report that cannot be read"),
				Arguments.of("{\"csp-report\":\n\u001b[31m" + "secret".repeat(100), "a report that cannot be read"),
				Arguments.of("[]", "a report that cannot be read"), Arguments
					.of("{\"csp-report\": {\"effective-directive\": \"x\\u001b[31m\\ny\"}}", "x?[31m?y, from ?, on "));
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@MethodSource("reports")
	void theLogHasWhatWasNotAllowedAndNothingElseOfAReport(String report, String logged) {
		try (Site site = Site.another()) {
			assertThat(logOf(site, List.of(report))).singleElement()
				.satisfies((line) -> assertThat(line).endsWith("does not allow: " + logged).doesNotContain("secret"));
		}
	}

	@Test
	void reportsAreCountedAndOneInAMinuteIsLogged() {
		try (Site site = Site.another()) {
			assertThat(logOf(site, List.of("{}", "{}", "{}"))).hasSize(1);
			assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.containsPattern("retwis_csp_reports_total 3");
		}
	}

	@Test
	void junkKeepsNoReportOutOfTheLog() {
		try (Site site = Site.another()) {
			assertThat(logOf(site, List.of("x".repeat(10_000), "junk", "junk", """
					{"csp-report": {"effective-directive": "img-src", "blocked-uri": "https://evil.example/a",
					 "document-uri": "https://retwis.example/@ann"}}""", "junk")))
				.extracting((line) -> line.substring(line.lastIndexOf(": ") + 2))
				.containsExactly("a report that cannot be read", "img-src, from https://evil.example, on /@ann");
		}
	}

	private static List<String> logOf(Site site, List<String> reports) {
		Logger log = (Logger) LoggerFactory.getLogger(CspReportHandler.class);
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		log.addAppender(logged);
		try {
			for (String report : reports) {
				assertThat(Visitor.of(site)
					.send("POST", "/csp-reports", BodyPublishers.ofString(report), "Content-Type",
							"application/csp-report", "Origin", "null")
					.status()).isEqualTo((report.length() < 8_192) ? 204 : 413);
			}
		}
		finally {
			log.detachAppender(logged);
		}
		return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

}
