package live.retwis.post;

import java.util.List;
import java.util.Map;

import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sending the same form again does not make a second post.
 */
class PostOnceTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private String once = "";

	@BeforeEach
	void openTheForm() {
		this.once = this.author.get("/home").once();
	}

	private List<String> storedPosts() {
		return this.site.keys("post:*")
			.stream()
			.filter((key) -> this.author.id().equals(this.site.redis().hget(key, "author")))
			.toList();
	}

	@Test
	void eachFormHasItsOwnOnce() {
		assertThat(this.once).hasSizeGreaterThan(20);
		assertThat(this.author.get("/home").once()).isNotEqualTo(this.once);
	}

	@Test
	void theResultOfAFormIsRememberedForAnHour() {
		this.author.submit("/posts", "body", "remembered", "once", this.once);
		String key = "{live}:once:" + this.author.id() + ":" + this.once;
		assertThat(this.site.redis().ttl(key)).isBetween(3500L, 3600L);
	}

	@Test
	void theSameFormSentTwiceMakesOnePost() {
		for (int i = 0; i < 3; i++) {
			Answer answer = this.author.submit("/posts", "body", "just once", "once", this.once);
			assertThat(answer.status()).isEqualTo(303);
			assertThat(answer.location()).isEqualTo("/home");
		}
		assertThat(this.author.get("/home").posts()).containsExactly("just once");
		assertThat(this.author.get("/@" + this.author.name()).posts()).containsExactly("just once");
		assertThat(storedPosts()).hasSize(1);
	}

	@Test
	void theSameFormSentManyTimesAtOnceMakesOnePost() {
		List<Answer> answers = Simultaneous.times(16,
				(i) -> this.author.postJson("body", "at once", "once", this.once));
		assertThat(answers).extracting(Answer::status).containsOnly(201);
		assertThat(answers).extracting((answer) -> answer.json().get("posts").get(0).get("id").asString())
			.containsOnly(this.author.get("/home").postIds().get(0));
		assertThat(this.author.get("/home").posts()).containsExactly("at once");
		assertThat(storedPosts()).hasSize(1);
	}

	@Test
	void theSameTextInTwoFormsMakesTwoPosts() {
		for (int i = 0; i < 2; i++) {
			assertThat(this.author.submit("/posts", "body", "again", "once", this.author.get("/home").once()).status())
				.isEqualTo(303);
		}
		assertThat(this.author.get("/home").posts()).containsExactly("again", "again");
	}

	@Test
	void theSameFormWithAnotherTextGets422WithItsTextAndANewOnce() {
		this.author.submit("/posts", "body", "first", "once", this.once);
		Answer refused = this.author.submit("/posts", "body", "second", "once", this.once);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.textarea()).isEqualTo("second");
		assertThat(refused.once()).isNotEqualTo(this.once);
		assertThat(refused.errors()).hasSize(1);
		assertThat(this.author.submit("/posts", "body", "second", "once", refused.once()).status()).isEqualTo(303);
		assertThat(this.author.get("/home").posts()).containsExactly("second", "first");
		assertThat(storedPosts()).hasSize(2);
	}

	@Test
	void aScriptIsToldThatTheFormWasSentWithAnotherText() {
		this.author.submit("/posts", "body", "first", "once", this.once);
		Answer refused = this.author.postJson("body", "second", "once", this.once);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.json().get("superseded").asBoolean()).isTrue();
	}

	@Test
	void twoUsersCanSendTheSameOnce() {
		Visitor other = Visitor.registered(this.site);
		other.get("/home");
		this.author.submit("/posts", "body", "mine", "once", this.once);
		assertThat(other.submit("/posts", "body", "theirs", "once", this.once).status()).isEqualTo(303);
		assertThat(other.get("/home").posts()).containsExactly("theirs");
	}

	@Test
	void aFormWithoutOnceMakesAPostEachTime() {
		assertThat(this.author.submit("/posts", "body", "by a script").status()).isEqualTo(303);
		assertThat(this.author.get("/home").posts()).containsExactly("by a script");
	}

	@ParameterizedTest
	@ValueSource(strings = { "with space", "a{b}", "a:b", "ü", "<x>", "a\nb",
			"12345678901234567890123456789012345678901234567890123456789012345" })
	void aOnceThatNoPageOfThisSiteSendsIs400(String malformed) {
		assertThat(this.author.submit("/posts", "body", "x", "once", malformed).status()).isEqualTo(400);
		assertThat(this.author.get("/home").posts()).isEmpty();
	}

	@Test
	void postingLeadsBackOnlyInsideTheSite() {
		assertThat(this.author.submit("/posts", "body", "x", "once", this.once, "next", "//evil.example").location())
			.isEqualTo("/home");
	}

	@Test
	void jsonGets201WithThePost() {
		Answer answer = this.author.postJson("body", "Hello {\"json\"}", "once", this.once);
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.header("Content-Type")).startsWith("application/json");
		var post = answer.json().get("posts").get(0);
		assertThat(answer.location()).isEqualTo("/posts/" + post.get("id").asString());
		assertThat(post.get("body").asString()).isEqualTo("Hello {\"json\"}");
		assertThat(post.get("author").asString()).isEqualTo(this.author.name());
		assertThat(post.get("created_at").asString()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
		assertThat(this.author.get(answer.location()).status()).isEqualTo(200);
	}

	@Test
	void jsonGetsItsMistakesAsProblemDocuments() {
		Answer blank = this.author.postJson("body", " ", "once", this.once);
		assertThat(blank.status()).isEqualTo(422);
		assertThat(blank.header("Content-Type")).startsWith("application/problem+json");
		assertThat(blank.json().get("detail").asString()).isEqualTo("Write something first.");
		assertThat(this.author.postJson("body", "x", "once", "not a once").status()).isEqualTo(400);
	}

	@Test
	void aSignedOutJsonClientGets401() {
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		assertThat(stranger.postJson("body", "not me").status()).isEqualTo(401);
	}

	@Test
	void postingNeedsTheTokenOfAPage() {
		assertThat(this.author.submit("/posts", "body", "x", "_csrf", "").status()).isEqualTo(403);
		assertThat(this.author
			.send("POST", "/posts", Visitor.form(Map.of("body", "x")), "Content-Type",
					"application/x-www-form-urlencoded")
			.status()).isEqualTo(403);
		assertThat(this.author.get("/home").posts()).isEmpty();
	}

}
