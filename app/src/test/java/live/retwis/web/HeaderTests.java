package live.retwis.web;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.RawHttp;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The headers of every answer, and what no page may contain.
 */
class HeaderTests {

	private static final Pattern INLINE = Pattern
		.compile("(?i)<script(?![^>]*\\ssrc=)|<style|\\sstyle=\"|<[^>]+\\son[a-z]+=|javascript:|<base|<iframe");

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private List<Answer> everyKindOfPage() {
		String id = this.visitor.post("<b onclick=\"x()\">hello</b> javascript");
		Visitor stranger = Visitor.of(this.site);
		return List.of(this.visitor.get("/home"), this.visitor.get("/timeline"), this.visitor.get("/posts/" + id),
				this.visitor.get("/@" + this.visitor.name()),
				this.visitor.get("/@" + this.visitor.name() + "/followers"),
				this.visitor.get("/@" + this.visitor.name() + "/following"), stranger.get("/"), stranger.get("/login"),
				stranger.get("/register"), stranger.get("/timeline"), stranger.get("/how-live"),
				stranger.get("/posts/" + id), this.visitor.get("/nowhere"), this.visitor.submit("/posts", "body", ""),
				stranger.submit("/login", "username", "x"), this.visitor.send("PUT", "/home", BodyPublishers.noBody()),
				this.visitor.submit("/posts", "_csrf", "x"), this.visitor.getJson("/home"));
	}

	@Test
	void everyAnswerNamesTheInstanceThatAnswered() {
		String name = this.visitor.get("/timeline").header("X-Instance");
		assertThat(name).matches("[0-9a-z]{6}");
		for (Answer answer : everyKindOfPage()) {
			assertThat(answer.header("X-Instance")).as(answer.response().uri().getPath()).isEqualTo(name);
		}
		assertThat(this.visitor.get("/").header("X-Instance")).isEqualTo(name);
		assertThat(this.visitor.get(asset("site.css")).header("X-Instance")).isEqualTo(name);
		assertThat(Visitor.of(this.site).get("/live/home").header("X-Instance")).isEqualTo(name);
		try (EventStream stream = this.visitor.open("/live/public")) {
			assertThat(stream.header("X-Instance")).isEqualTo(name);
		}
	}

	@Test
	void everyAnswerHasANewRequestNumberWhateverTheClientSends() {
		Set<String> numbers = new HashSet<>();
		List<Answer> answers = new ArrayList<>(everyKindOfPage());
		answers.add(this.visitor.get("/timeline", "X-Request-Id", "mine"));
		answers.add(this.visitor.get(asset("site.css")));
		answers.add(Visitor.of(this.site).get("/live/home"));
		for (Answer answer : answers) {
			assertThat(answer.response().headers().allValues("X-Request-Id")).singleElement()
				.asString()
				.as(answer.response().uri().getPath())
				.matches("[0-9a-f]{32}");
			assertThat(numbers.add(answer.header("X-Request-Id"))).isTrue();
		}
	}

	@Test
	void theManagementPortAlsoNamesTheInstance() {
		String name = this.visitor.get("/timeline").header("X-Instance");
		for (String path : List.of("/actuator/health/liveness", "/actuator/health/readiness", "/actuator/prometheus")) {
			Answer answer = Visitor.ofManagement(this.site).get(path);
			assertThat(answer.status()).as(path).isEqualTo(200);
			assertThat(answer.header("X-Instance")).as(path).isEqualTo(name);
		}
	}

	@ParameterizedTest
	@CsvSource({ "localhost, 200", "localhost:1, 200", "127.0.0.1, 200", "[::1]:1, 200", "evil.example, 421",
			"evil.example:1, 421", "127.0.0.1.evil.example, 421", "192.0.2.1, 421" })
	void theManagementPortAnswersOnlyToItsOwnNames(String host, int status) {
		assertThat(RawHttp.getFrom(host, this.site.managementPort(), "/actuator/health/liveness"))
			.startsWith("HTTP/1.1 " + status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/timeline", "/static/site.css", "/live/public", "/actuators" })
	void theManagementPortHasNoPageOfTheSite(String path) {
		assertThat(RawHttp.getFrom("localhost", this.site.managementPort(), path)).startsWith("HTTP/1.1 404");
	}

	@Test
	void aPageLoadsOnlyFilesOfThisSite() {
		for (Answer page : everyKindOfPage()) {
			String what = page.response().uri().getPath();
			assertThat(page.header("Content-Security-Policy")).as(what)
				.contains("default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "report-uri /csp-reports")
				.doesNotContain("unsafe");
			assertThat(page.header("Permissions-Policy")).as(what).contains("camera=()");
			assertThat(page.header("Cross-Origin-Opener-Policy")).as(what).isEqualTo("same-origin");
			assertThat(page.header("Cross-Origin-Resource-Policy")).as(what).isEqualTo("same-origin");
			assertThat(page.header("Strict-Transport-Security")).as(what).isEmpty();
			assertThat(page.header("X-Content-Type-Options")).as(what).isEqualTo("nosniff");
			assertThat(page.header("X-Frame-Options")).as(what).isEqualTo("DENY");
			assertThat(page.header("Referrer-Policy")).as(what).isEqualTo("same-origin");
			assertThat(page.header("Cache-Control")).as(what).contains("no-store");
		}
	}

	@Test
	void noPageHasAnInlineScriptOrStyle() {
		for (Answer page : everyKindOfPage()) {
			if (!page.header("Content-Type").startsWith("text/html")) {
				continue;
			}
			String markup = page.body().replaceAll("(?s)<p class=\"post-body\">.*?</p>", "");
			assertThat(INLINE.matcher(markup).results().map((found) -> found.group()).toList())
				.as(page.response().uri().getPath())
				.isEmpty();
		}
	}

	@Test
	void everyFileThatAPageLoadsExistsAndIsCachedForAYear() {
		Set<String> assets = new LinkedHashSet<>();
		for (Answer page : everyKindOfPage()) {
			Pattern.compile("(?:src|href)=\"(/assets/[^\"]*)\"")
				.matcher(page.body())
				.results()
				.forEach((found) -> assets.add(found.group(1)));
		}
		assertThat(assets).hasSizeGreaterThanOrEqualTo(3);
		for (String asset : assets) {
			Answer answer = this.visitor.get(asset);
			assertThat(answer.status()).as(asset).isEqualTo(200);
			assertThat(answer.header("Cache-Control")).as(asset).contains("max-age=31536000", "public", "immutable");
			assertThat(answer.header("Content-Length")).as(asset).isNotEmpty();
			assertThat(answer.cookies()).as(asset).isEmpty();
		}
		String older = this.visitor.get("/assets/0123456789ab.en/site.css").header("Cache-Control");
		assertThat(older).as("the address of another release").isEqualTo("no-cache");
		assertThat(this.visitor.get(asset("site.css")).header("Content-Type")).startsWith("text/css");
		assertThat(this.visitor.get(asset("site.js")).header("Content-Type"))
			.containsPattern("^(text|application)/javascript");
		assertThat(this.visitor.get(asset("icon.svg")).header("Content-Type")).startsWith("image/svg+xml");
	}

	private String asset(String name) {
		return this.visitor.get("/timeline").find("\"(/assets/[0-9a-f]+.en/)site.css\"") + name;
	}

	@Test
	void noRouteMakesAWebSession() {
		for (Answer answer : everyKindOfPage()) {
			assertThat(answer.cookies()).as(answer.response().uri().getPath())
				.allMatch((cookie) -> cookie.startsWith("XSRF-TOKEN=") || cookie.startsWith("auth="));
		}
		assertThat(this.visitor.cookie("SESSION")).isEmpty();
	}

}
