package live.retwis.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;

import live.retwis.limit.RateLimit;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.SiteMap.Route;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The file {@code src/docs/routes.md} lists every route, and who may use it. What it says
 * is compared with the answers that the site gives a signed-out visitor.
 */
class SiteMapTests {

	private static final Path FILE = Path.of("src/docs/routes.md");

	private static final String HEAD = """
			# Routes

			Every page, form and stream of the site. `SiteMapTests` compares this file with what the site has.
			A limit is a setting of `retwis.limits`, see [operate.md](operate.md#settings).

			| Method | Path | Handler | Who may | Limit |
			| --- | --- | --- | --- | --- |
			""";

	private final Site site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true",
			"--retwis.xray.users=*", "--retwis.cluster.control=http://127.0.0.1:9");

	private final Visitor stranger = Visitor.of(this.site);

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("here");

	private final HttpClient client = HttpClient.newHttpClient();

	@AfterEach
	void close() {
		this.site.close();
	}

	@Test
	void theFileShowsEveryRouteAndWhoMayUseIt() throws Exception {
		String rows = this.site.bean(SiteMap.class)
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

	private static String limit(Route route) {
		return (route.limit() == null) ? "–"
				: limit(route.limit()) + route.limit().beside().map((other) -> "; " + limit(other)).orElse("");
	}

	private static String limit(RateLimit limit) {
		return "`" + limit + "` of the " + limit.subject();
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
