package live.retwis.web;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.RouteTable.Route;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which pages search engines may read, by the rules of RFC 9309.
 */
class RobotsTests {

	private static final List<String> PUBLIC = List.of("/", "/timeline", "/@{username}", "/@{username}/feed",
			"/posts/{id}", "/tags/{tag}", "/tags/{tag}/feed", "/how-live", "/assets/{version}/{*name}");

	private final Site site = Site.shared();

	private final Answer robots = Visitor.of(this.site).get("/robots.txt");

	/** Of the rules that match, the longest one decides. */
	private boolean mayRead(String path) {
		return this.robots.body()
			.lines()
			.filter((line) -> line.contains("llow: "))
			.filter((line) -> pattern(line.substring(line.indexOf('/'))).matcher(path).lookingAt())
			.max(Comparator.comparing(String::length))
			.map((line) -> line.startsWith("Allow"))
			.orElse(true);
	}

	private static Pattern pattern(String rule) {
		boolean whole = rule.endsWith("$");
		return Pattern.compile(Stream.of(rule.replace("$", "").split("\\*", -1))
			.map(Pattern::quote)
			.collect(Collectors.joining(".*", "", whole ? "$" : "")));
	}

	private List<String> refused() {
		return this.site.bean(RouteTable.class)
			.table()
			.stream()
			.filter((route) -> route.method().equals("POST") || route.path().startsWith("/live/")
					|| route.path().startsWith("/settings"))
			.map(Route::path)
			.toList();
	}

	@Test
	void anyoneIsToldWhatNotToRead() {
		assertThat(this.robots.status()).isEqualTo(200);
		assertThat(this.robots.header("Content-Type")).startsWith("text/plain");
		assertThat(this.robots.header("Cache-Control")).contains("max-age=86400");
	}

	@Test
	void settingsActionsAndStreamsAreNotRead() {
		assertThat(refused()).hasSizeGreaterThan(15).allSatisfy((path) -> assertThat(mayRead(path)).as(path).isFalse());
	}

	@Test
	void publicPagesAndTheirFeedsAreRead() {
		assertThat(PUBLIC).allSatisfy((path) -> assertThat(mayRead(path)).as(path).isTrue());
	}

}
