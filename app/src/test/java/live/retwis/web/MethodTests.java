package live.retwis.web;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which methods an address accepts, and how it answers the others.
 */
@ExtendWith(RedisExtension.class)
class MethodTests {

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private void assertNotAllowed(String method, String path, String... allowed) {
		Answer answer = this.visitor.send(method, path, BodyPublishers.noBody());
		assertThat(answer.status()).as(method + " " + path).isEqualTo(405);
		assertThat(Arrays.asList(answer.header("Allow").split(",\\s*"))).as(method + " " + path)
			.containsExactlyInAnyOrder(allowed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PUT", "DELETE", "PATCH", "POST" })
	void aPageAnswersOnlyGetAndHead(String method) {
		for (String path : List.of("/", "/home", "/timeline", "/@" + this.visitor.name(), "/posts/0000000000000",
				"/live/home", "/live/public", "/@" + this.visitor.name() + "/followers", "/assets/x/site.css")) {
			assertNotAllowed(method, path, "GET", "HEAD");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "PUT", "DELETE" })
	void aFormAnswersOnlyPost(String method) {
		for (String path : List.of("/logout", "/posts", "/posts/0000000000000/delete",
				"/@" + this.visitor.name() + "/follow", "/@" + this.visitor.name() + "/unfollow")) {
			assertNotAllowed(method, path, "POST");
		}
	}

	@Test
	void aPageThatIsAlsoAFormAnswersGetHeadAndPost() {
		assertNotAllowed("PUT", "/login", "GET", "HEAD", "POST");
		assertNotAllowed("DELETE", "/register", "GET", "HEAD", "POST");
	}

	@Test
	void headIsGetWithoutABody(@OwnRedis TestRedis redis) {
		try (Site quiet = Site.start(redis)) {
			Visitor author = Visitor.registered(quiet);
			String id = author.post("a post");
			FanOutWait.settle(quiet);
			for (String path : List.of("/timeline", "/home", "/@" + author.name(), "/posts/" + id,
					"/@" + author.name() + "/followers", "/nowhere")) {
				Answer get = author.get(path);
				Answer head = author.send("HEAD", path, BodyPublishers.noBody());
				assertThat(head.status()).as(path).isEqualTo(get.status());
				assertThat(head.body()).as(path).isEmpty();
				assertThat(head.header("Content-Length")).as(path).isNotEmpty().isEqualTo(get.header("Content-Length"));
				assertThat(head.header("Content-Type")).as(path).isEqualTo(get.header("Content-Type"));
			}
			Visitor stranger = Visitor.of(quiet);
			for (String path : List.of("/", "/login", "/register", "/timeline")) {
				Answer get = stranger.get(path);
				Answer head = stranger.send("HEAD", path, BodyPublishers.noBody());
				assertThat(head.status()).as(path).isEqualTo(200);
				assertThat(head.header("Content-Length")).as(path).isEqualTo(get.header("Content-Length"));
			}
			assertThat(author.send("HEAD", "/", BodyPublishers.noBody()).location()).isEqualTo("/home");
		}
	}

	@Test
	void aFormWithoutTheTokenOfAPageIs403() {
		Visitor stranger = Visitor.of(this.site);
		for (String path : List.of("/login", "/register", "/logout", "/posts", "/@x/follow")) {
			Answer answer = stranger.send("POST", path, Visitor.form(Map.of("username", "x")), "Content-Type",
					"application/x-www-form-urlencoded");
			assertThat(answer.status()).as(path).isEqualTo(403);
			assertThat(answer.body()).contains("Not allowed", "reload the page and send it again");
		}
		assertThat(this.visitor.submit("/posts", "body", "x", "_csrf", "AAAA").status()).isEqualTo(403);
	}

	@Test
	void theTokenOfAnotherVisitorIsRefused() {
		Visitor mallory = Visitor.of(this.site);
		String token = mallory.get("/login").find("name=\"_csrf\" value=\"([^\"]*)\"");
		this.visitor.get("/home");
		assertThat(this.visitor.submit("/posts", "body", "forged", "_csrf", token).status()).isEqualTo(403);
	}

	@Test
	void theTokenCanBeSentInAHeader() {
		String token = this.visitor.get("/home").find("name=\"_csrf\" value=\"([^\"]*)\"");
		Answer answer = this.visitor.send("POST", "/posts", Visitor.form(Map.of("body", "by a script")), "Content-Type",
				"application/x-www-form-urlencoded", "X-XSRF-TOKEN", token, "Accept", "application/json");
		assertThat(answer.status()).isEqualTo(201);
	}

	@Test
	void anAddressOfAFileWithoutItsNameIs404() {
		assertThat(Visitor.of(Site.shared()).get("/assets/x").status()).isEqualTo(404);
		assertThat(Visitor.of(Site.shared()).get("/assets/x/").status()).isEqualTo(404);
	}

	@Test
	void aButtonOfAPostWithAMalformedIdIs404() {
		assertThat(Visitor.registered(Site.shared()).get("/posts/%20/like").status()).isEqualTo(404);
	}

}
