package live.retwis.web;

import java.awt.Color;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.moderation.Moderation;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.RouteTable.Route;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends every request of the route table as every kind of visitor, and forms also without
 * a token, with an empty one, with that of another session, and from another site. What
 * each answer is, says the file {@code access.txt}. A route without a line there fails.
 */
@Timeout(60)
class AccessTests {

	private static final Path FILE = Path.of("src/test/resources/access.txt");

	private static final String HEAD = """
			What each route answers to a visitor who is signed out, another user, the user whose page or post it is, a
			suspended user, and an operator. Paths name a lesson and a chapter that exist, and a post, a picture and the
			session of that user. Forms are sent empty, with their token. The last column is the answer to all of them if the
			token is empty, missing or of another session, or if the form comes from another site by its Origin or by
			Sec-Fetch-Site. "login": 303 to the log-in page. Operators act by commands; of the routes only X-ray knows them,
			by retwis.xray.users.

			""";

	private static final String ROW = "%-4s %-30s %-8s %-8s %-8s %-10s %-10s %s%n";

	private static final String OPERATOR = Visitor.freshName();

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor stranger = Visitor.of(site);

	private final Visitor other = Visitor.registered(site);

	private final Visitor owner = Visitor.registered(site);

	private final Visitor suspended = Visitor.registered(site);

	private final Visitor operator = Visitor.registered(site, OPERATOR);

	private final List<Visitor> all = List.of(this.stranger, this.other, this.owner, this.suspended, this.operator);

	private final String foreignToken = token(Visitor.registered(site));

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true",
				"--retwis.xray.users=" + OPERATOR, "--retwis.learn.enabled=true",
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
		String rows = site.bean(RouteTable.class)
			.table()
			.stream()
			.sorted(Comparator.comparing(Route::path).thenComparing(Route::method))
			.map(this::row)
			.collect(Collectors.joining());
		Path made = Files.createDirectories(Path.of("target")).resolve("access.txt");
		Files.writeString(made,
				HEAD + ROW.formatted("", "", "out", "other", "owner", "suspended", "operator", "forged") + rows);
		assertThat(FILE).as("copy %s there if it is right", made).hasSameTextualContentAs(made);
	}

	/** The path with what there is: of the owner, where it belongs to somebody. */
	private String path(Route route) {
		return switch (route.path()) {
			case "/assets/{version}/{*name}" -> "/assets/1/site.css";
			case "/pictures/{user}/{hash}" -> picture();
			case "/settings/sessions/{id}/end" -> "/settings/sessions/" + session() + "/end";
			default -> route.path()
				.replace("{username}", this.owner.name())
				.replace("/posts/{id}", route.path().contains("/posts/{id}") ? "/posts/" + this.owner.post("here") : "")
				.replace("{lesson}", "contention")
				.replace("{chapter}", "strings")
				.replace("{tag}", "redis")
				.replaceAll("\\{[a-z]+}", "1");
		};
	}

	private String picture() {
		this.owner.submitParts("/settings/profile", "name", "", "bio", "", "picture",
				Pictures.plain("png", 100, 100, Color.BLUE));
		return this.stranger.get("/@" + this.owner.name()).find("<img src=\"(/pictures/[^\"]*)\"");
	}

	/** The session that the owner uses. */
	private String session() {
		return this.owner.get("/settings/sessions").find("<b id=\"session-([0-9a-f]+)\">");
	}

	private String row(Route route) {
		String path = path(route);
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
				answers.get(3), answers.get(4), forged);
	}

	private Stream<String> forged(Visitor visitor, String path) {
		Visitor lured = visitor.sentTo(site.url("")).sending("Origin", "https://evil.example");
		Visitor crossing = visitor.sentTo(site.url("")).sending("Sec-Fetch-Site", "cross-site");
		return Stream
			.of(visitor.submit(path, "_csrf", ""), withoutToken(visitor, path),
					visitor.submit(path, "_csrf", this.foreignToken), lured.submit(path), crossing.submit(path))
			.map(AccessTests::text);
	}

	private static Answer withoutToken(Visitor visitor, String path) {
		return visitor.send("POST", path, Visitor.form(Map.of()), "Content-Type", "application/x-www-form-urlencoded");
	}

	private String submitted(Visitor visitor, String path) {
		String answer = text(visitor.submit(path));
		if (path.endsWith("/block")) {
			visitor.submit(path.replace("/block", "/unblock"));
		}
		if (path.equals("/logout") || (path.endsWith("/end") && visitor == this.owner)) {
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
