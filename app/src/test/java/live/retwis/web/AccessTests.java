package live.retwis.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.moderation.Moderation;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.SiteMap.Route;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends every request of the site map as every kind of visitor, and forms also without a
 * token, with the token of another session, and from another site. The file {@code
 * access.txt} says what each answer is. A route without a line there fails.
 */
@Timeout(60)
class AccessTests {

	private static final Path FILE = Path.of("src/test/resources/access.txt");

	private static final String HEAD = """
			What each route answers to a visitor who is signed out, another user, the user whose page or post it is, and a
			suspended user. Forms are sent empty, with their token. The last column is the answer to all of them if the token
			is missing or of another session, or if the form comes from another site. "login": 303 to the log-in page.
			Operators act by commands, so no route knows them.

			""";

	private static final String ROW = "%-4s %-30s %-8s %-8s %-8s %-10s %s%n";

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor stranger = Visitor.of(site);

	private final Visitor other = Visitor.registered(site);

	private final Visitor owner = Visitor.registered(site);

	private final Visitor suspended = Visitor.registered(site);

	private final List<Visitor> all = List.of(this.stranger, this.other, this.owner, this.suspended);

	private final String foreignToken = token(Visitor.registered(site));

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true", "--retwis.xray.users=*",
				"--retwis.cluster.control=http://127.0.0.1:9", "--retwis.security-contact=mailto:security@example.com");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static String token(Visitor visitor) {
		return visitor.get("/settings").find("name=\"_csrf\" value=\"([^\"]*)\"");
	}

	@Test
	void everyRouteAnswersEachVisitorAsTheFileSays() throws Exception {
		Objects.requireNonNull(site.bean(Moderation.class).suspend("test", this.suspended.name()).block());
		String rows = site.bean(SiteMap.class)
			.table()
			.stream()
			.sorted(Comparator.comparing(Route::path).thenComparing(Route::method))
			.map(this::row)
			.collect(Collectors.joining());
		Path made = Files.createDirectories(Path.of("target")).resolve("access.txt");
		Files.writeString(made, HEAD + ROW.formatted("", "", "out", "other", "owner", "suspended", "forged") + rows);
		assertThat(FILE).as("copy %s there if it is right", made).hasSameTextualContentAs(made);
	}

	private String row(Route route) {
		String path = route.path()
			.replace("{username}", this.owner.name())
			.replace("/posts/{id}", route.path().contains("/posts/{id}") ? "/posts/" + this.owner.post("here") : "")
			.replaceAll("\\{\\*?[a-z]+}", "1")
			.replace("/1/1", "/1/site.css");
		boolean form = route.method().equals("POST");
		this.stranger.get("/login");
		this.suspended.get("/login");
		String forged = form ? this.all.stream()
			.flatMap((visitor) -> forged(visitor, path))
			.distinct()
			.sorted()
			.collect(Collectors.joining(" ")) : "-";
		List<String> answers = this.all.stream()
			.map((visitor) -> form ? submitted(visitor, path) : asked(visitor, path))
			.toList();
		return ROW.formatted(route.method(), route.path(), answers.get(0), answers.get(1), answers.get(2),
				answers.get(3), forged);
	}

	private Stream<String> forged(Visitor visitor, String path) {
		Visitor lured = visitor.sentTo(site.url("")).sending("Origin", "https://evil.example");
		return Stream
			.of(visitor.submit(path, "_csrf", ""), visitor.submit(path, "_csrf", this.foreignToken), lured.submit(path))
			.map(AccessTests::text);
	}

	private String submitted(Visitor visitor, String path) {
		String answer = text(visitor.submit(path));
		if (path.endsWith("/block")) {
			visitor.submit(path.replace("/block", "/unblock"));
		}
		if (path.equals("/logout")) {
			visitor.get("/login");
			visitor.signIn(visitor.name(), Visitor.PASSWORD);
		}
		return answer;
	}

	/** Does not wait for the end of a stream. */
	private static String asked(Visitor visitor, String path) {
		if (!path.startsWith("/live/")) {
			return text(visitor.get(path));
		}
		try (EventStream stream = visitor.open(path)) {
			return Integer.toString(stream.status());
		}
	}

	private static String text(Answer answer) {
		return (answer.status() == 303 && answer.location().startsWith("/login")) ? "login"
				: Integer.toString(answer.status());
	}

}
