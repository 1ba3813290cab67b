package live.retwis.web;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Answer;
import live.retwis.testing.RawHttp;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorPageTests {

	private static final String FORM = "application/x-www-form-urlencoded";

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private static void assertShowsNoInternalDetails(Answer answer) {
		assertThat(answer.body()).doesNotContain("Exception", "\tat ", "live.retwis.", "org.springframework", "trace");
	}

	@Test
	void anUnknownAddressShowsThe404PageOfTheSite() {
		for (String path : List.of("/nowhere", "/posts", "/@", "/posts/", "/home/", "/assets/x/none.css", "/live/",
				"/live/@" + Visitor.freshName(), "//evil.example/", "/actuator/health", "/lab/none")) {
			Answer answer = this.visitor.get(path);
			assertThat(answer.status()).as(path).isIn(404, 405, 400);
			assertShowsNoInternalDetails(answer);
		}
		Answer page = this.visitor.get("/nowhere");
		assertThat(page.status()).isEqualTo(404);
		assertThat(page.header("Content-Type")).startsWith("text/html");
		assertThat(page.body()).contains("Not found", "data-viewer=\"" + this.visitor.name() + "\"",
				"Go to the home page");
		assertThat(Visitor.of(this.site).get("/nowhere").cookies()).isEmpty();
	}

	@Test
	void anErrorPageHasTheFootOfOtherPagesUnlessItAnswersAForm() {
		assertThat(this.visitor.get("/nowhere").body()).contains("<footer class=\"languages\">", "href=\"?lang=zh\"");
		Answer form = this.visitor.submit("/posts/0000000000000/delete");
		assertThat(form.status()).isEqualTo(404);
		assertThat(form.body()).doesNotContain("<footer class=\"languages\">", "?lang=");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/%00", "/@%00", "/posts/%2e%2e", "/..%2f..%2fetc/passwd",
			"/assets/x/..%2f..%2fapplication.properties", "/assets/x/../../application.properties", "/%2e%2e/",
			"/home;jsessionid=1", "/home%0d%0aSet-Cookie:a=b", "/@%F0%9F%98%80", "/timeline?before=%",
			"/timeline?before=%zz", "/@a/../timeline", "/posts/%E0%A4%A", "/timeline?lang=%00", "/assets/x/%5c..%5c" })
	void aMalformedAddressIsNeverAServerError(String path) {
		String answer = RawHttp.get(this.site, path, "Cookie: " + this.visitor.cookieHeader());
		assertThat(answer).matches("(?s)HTTP/1.1 [234]\\d\\d .*")
			.doesNotContain("Exception", "\tat ", "live.retwis.", "spring.application.name", "root:", "\nSet-Cookie:a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nonsense", "\"/b", "text/html;q=2", "*", "a/b;charset=x", "/", "application/json;q=" })
	void aMalformedAcceptHeaderCountsAsNone(String accept) {
		assertThat(RawHttp.get(this.site, "/timeline", "Accept: " + accept)).startsWith("HTTP/1.1 200 ");
		assertThat(RawHttp.get(this.site, "/nowhere", "Accept: " + accept)).startsWith("HTTP/1.1 404 ");
		assertThat(RawHttp.get(this.site, "/csp-reports", "Accept: " + accept)).startsWith("HTTP/1.1 405 ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"/b", "text/html; charset=\"", "nothing", "" })
	void aMalformedContentTypeCountsAsNone(String type) {
		assertThat(RawHttp.get(this.site, "/timeline", "Content-Type: " + type)).startsWith("HTTP/1.1 200 ");
	}

	@Test
	void aMalformedRequestPutsNoRawBytesIntoTheLog() {
		Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		all.addAppender(logged);
		try {
			for (String raw : List.of("\u001b", "\u007f", "\b", "\u009b")) {
				assertThat(RawHttp.get(this.site, "/" + raw + "[31m")).startsWith("HTTP/1.1 4");
				RawHttp.get(this.site, "/", "Bad" + raw + "Name: x");
				RawHttp.get(this.site, "/", "Cookie: a=" + raw);
			}
		}
		finally {
			all.detachAppender(logged);
		}
		assertThat(logged.list)
			.noneMatch((line) -> line.getFormattedMessage().matches("(?s).*[\\x00-\\x08\\x1b\\x7f-\\x9f].*"));
	}

	@Test
	void aClientThatAsksForJsonGetsAProblemDocument() {
		Answer answer = this.visitor.getJson("/nowhere");
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
		assertThat(answer.json().get("status").asInt()).isEqualTo(404);
		assertThat(answer.json().get("title").asString()).isEqualTo("Not found");
		assertThat(answer.json().get("detail").asString()).isNotEmpty();
		assertThat(this.visitor.getJson("/timeline?before=x").header("Content-Type"))
			.startsWith("application/problem+json");
		assertThat(this.visitor.send("PUT", "/home", BodyPublishers.noBody(), "Accept", "application/json")
			.header("Content-Type")).startsWith("application/problem+json");
		assertThat(this.visitor.get("/nowhere", "Accept", "text/html, application/json").header("Content-Type"))
			.startsWith("text/html");
	}

	@Test
	void aBodyTooLargeIs413() {
		String large = "body=" + "x".repeat(200_000);
		for (String path : List.of("/posts", "/login", "/register", "/logout")) {
			assertThat(this.visitor.send("POST", path, BodyPublishers.ofString(large), "Content-Type", FORM).status())
				.as(path)
				.isEqualTo(413);
			assertThat(
					this.visitor
						.send("POST", path,
								BodyPublishers.ofInputStream(
										() -> new ByteArrayInputStream(large.getBytes(StandardCharsets.US_ASCII))),
								"Content-Type", FORM)
						.status())
				.as(path + " chunked")
				.isEqualTo(413);
		}
		assertThat(this.visitor.isSignedIn()).isTrue();
	}

	@Test
	void aFormWithAnotherContentTypeIsAClientError() {
		for (String type : List.of("application/json", "text/plain", "multipart/form-data",
				"multipart/form-data; boundary=x", "nonsense", FORM + "; charset=nonsense")) {
			Answer answer = this.visitor.send("POST", "/posts", BodyPublishers.ofString("{\"a\":1}"), "Content-Type",
					type);
			assertThat(answer.status()).as(type).isBetween(400, 499);
			assertShowsNoInternalDetails(answer);
		}
	}

	@Test
	void aServerErrorIsA500PageWithoutInternalDetails() {
		String id = Objects.requireNonNull(this.site.bean(TimeSortedIdGenerator.class).next().block()).id();
		this.site.redis().hset("post:" + id, "author", this.visitor.id());
		this.site.redis().hset("post:" + id, "username", this.visitor.name());
		this.site.redis().hset("post:" + id, "body", "broken");
		this.site.redis().hset("post:" + id, "created", "1");
		this.site.redis().set("replies:" + id, "not a list");
		Answer page = this.visitor.get("/posts/" + id);
		assertThat(page.status()).isEqualTo(500);
		assertThat(page.body()).contains("Something went wrong").doesNotContain("WRONGTYPE");
		assertThat(page.find("include this number: <code>([^<]*)</code>")).isEqualTo(page.header("X-Request-Id"));
		assertShowsNoInternalDetails(page);
		Answer chinese = this.visitor.get("/posts/" + id + "?lang=zh");
		assertThat(chinese.find("编号：<code>([^<]*)</code>")).isEqualTo(chinese.header("X-Request-Id"));
		Answer problem = this.visitor.getJson("/posts/" + id);
		assertThat(problem.status()).isEqualTo(500);
		assertThat(problem.json().get("request_id").asString()).isEqualTo(problem.header("X-Request-Id"));
		assertShowsNoInternalDetails(problem);
	}

	@Test
	void anAcceptHeaderThatCannotBeReadNamesNothing() {
		assertThat(this.visitor.get("/home", "Accept", "nonsense").status()).isEqualTo(200);
		assertThat(this.visitor.get("/nowhere", "Accept", "nonsense").status()).isEqualTo(404);
	}

	@Test
	void aClientErrorShowsNoRequestNumber() {
		Answer page = this.visitor.get("/nowhere");
		assertThat(page.body()).doesNotContain(page.header("X-Request-Id"));
		assertThat(this.visitor.getJson("/nowhere").json().has("request_id")).isFalse();
	}

	@Test
	void anUnknownPostAskedForAsJsonIsAProblem() {
		assertThat(this.visitor.getJson("/posts/0000000000000").header("Content-Type"))
			.startsWith("application/problem+json");
	}

}
