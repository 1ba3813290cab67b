package live.retwis.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.limit.RateLimit;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.RouteTable.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The file {@code src/docs/routes.md} lists every route, and who may use it. What it says
 * is compared with the answers that the site gives a signed-out visitor.
 */
class RouteTableTests {

	private static final Path FILE = Path.of("src/docs/routes.md");

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private static final String HEAD = """
			# Routes

			Every page, form and stream of the site. `RouteTableTests` compares this file with what the site has.
			A limit is a setting of `retwis.limits`, see [operate.md](operate.md#settings), and is shown with its default:
			`10/1m, 200/1h` is ten in a minute, which may come at once, and 200 in an hour. Some limits count only certain
			requests of a route: wrong passwords, log-ins beside a post, pictures, old pages of the home timeline, with an
			archive also those of profiles and tags, and profiles that somebody opens who follows many. Where X-ray shows the
			commands of a page, that page also counts for `xray`.
			"Everybody" may open `/xray/keys` where `retwis.xray.users` is `*`, as here; else only those whom it names.

			With `Accept: application/json`, pages with posts, users, notifications or sessions answer in JSON. So do `/posts`
			and the buttons of posts and of profiles, with what is so now: `{"username":"ada","following":true}`. An error is
			`application/problem+json`. Forms need the token of a page, whoever sends them.

			| Method | Path | Handler | Who may | Limit |
			| --- | --- | --- | --- | --- |
			""";

	private final Site site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true",
			"--retwis.xray.users=*", "--retwis.cluster.control=http://127.0.0.1:9");

	private final Visitor stranger = Visitor.of(this.site);

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("here");

	private final Map<String, String> defaults = defaults();

	private final HttpClient client = HttpClient.newHttpClient();

	@AfterEach
	void close() {
		this.site.close();
	}

	@Test
	void theFileShowsEveryRouteAndWhoMayUseIt() throws Exception {
		String rows = this.site.bean(RouteTable.class)
			.table()
			.stream()
			.sorted(Comparator.comparing(Route::path).thenComparing(Route::method))
			.map((route) -> "| %s | `%s` | `%s` | %s | %s |\n".formatted(route.method(), route.path(), route.handler(),
					whoMay(route), limit(route)))
			.collect(Collectors.joining());
		Path made = Files.createDirectories(Path.of("target")).resolve("routes.md");
		Files.writeString(made, HEAD + rows);
		assertThat(FILE).as("copy %s there if it is right", made).hasSameTextualContentAs(made);
	}

	@Test
	void everyLimitIsThatOfARoute() {
		assertThat(this.site.bean(RouteTable.class).table().stream().flatMap(RouteTableTests::limits).distinct())
			.containsExactlyInAnyOrder(RateLimit.values());
	}

	/** What another bean served would be missing in the file, and would have no limit. */
	@Test
	void noOtherBeanServesRoutes() {
		assertThat(this.site.beans(RouterFunction.class)).hasSize(1);
		assertThat(this.site.beans(RequestMappingHandlerMapping.class))
			.flatMap((mapping) -> mapping.getHandlerMethods().keySet())
			.as("controllers")
			.isEmpty();
		assertThat(this.site.beans(AbstractUrlHandlerMapping.class))
			.flatMap((mapping) -> mapping.getHandlerMap().keySet())
			.as("resources")
			.isEmpty();
	}

	private static Stream<RateLimit> limits(Route route) {
		return route.limits()
			.stream()
			.flatMap((limit) -> Stream.concat(Stream.of(limit), limit.beside().stream()))
			.distinct();
	}

	private String limit(Route route) {
		return route.limits().isEmpty() ? "–" : limits(route).map(this::limit).collect(Collectors.joining("; "));
	}

	private String limit(RateLimit limit) {
		return "`%s %s` of the %s".formatted(limit, this.defaults.get("retwis.limits." + limit), limit.subject());
	}

	/** The rates that each limit has unless an operator sets others. */
	private static Map<String, String> defaults() {
		try {
			return JsonMapper.shared()
				.readTree(Files.readString(METADATA))
				.get("properties")
				.valueStream()
				.collect(Collectors.toMap((property) -> property.get("name").asString(),
						(property) -> property.path("defaultValue").asString("").replace(",", ", "),
						(one, same) -> one));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String whoMay(Route route) {
		String path = route.path()
			.replace("{username}", this.author.name())
			.replace("/posts/{id}", "/posts/" + this.post)
			.replaceAll("\\{\\*?[a-z]+}", "1")
			.replace("/1/1", "/1/site.css");
		int status = route.method().equals("POST") ? submitted(path) : asked(path);
		return (status == 401) ? "logged in" : "everybody";
	}

	private int submitted(String path) {
		this.stranger.get("/login");
		return this.stranger.submitJson(path).status();
	}

	/** Asks for the address, and does not wait for the end of a stream. */
	private int asked(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.site.url(path)))
			.header("Accept", "application/json")
			.build();
		try {
			HttpResponse<InputStream> answer = this.client.send(request, BodyHandlers.ofInputStream());
			answer.body().close();
			return answer.statusCode();
		}
		catch (IOException ex) {
			throw new AssertionError(request.toString(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

}
