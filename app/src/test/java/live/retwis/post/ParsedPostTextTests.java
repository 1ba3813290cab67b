package live.retwis.post;

import java.util.UUID;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which texts are allowed, and that a text is shown as it was written.
 */
class ParsedPostTextTests {

	private final Visitor author = Visitor.registered(Site.shared());

	@BeforeEach
	void openTheForm() {
		this.author.get("/home");
	}

	private Answer send(String body) {
		return this.author.submit("/posts", "body", body, "once", UUID.randomUUID().toString());
	}

	private void assertPosted(String sent, String shown) {
		assertThat(send(sent).status()).isEqualTo(303);
		assertThat(this.author.get("/home").texts()).first().isEqualTo(shown);
		assertThat(this.author.getJson("/home").json().get("posts").get(0).get("body").asString()).isEqualTo(shown);
	}

	private void assertRefused(String sent, String error) {
		Answer answer = send(sent);
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).singleElement().asString().startsWith(error);
		assertThat(this.author.get("/home").posts()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "<script>alert(1)</script>", "a & b &amp; c", "\"double\" and 'single'",
			"{{x}} {{{y}}} {{>layout}}", "مرحبا بالعالم", "שלום \u202eabc", "👩‍👩‍👧‍👦 and 🇨🇳",
			"</p></article><h1>", "<!-- -->", "${x} %s \\n \\", "javascript:alert(1)", "tab\there", "one\ntwo\n\nthree",
			"\nbegins with a line", "  kept spaces  ", "https://example.org/?a=b&c=d", "a\u0301 \uFEFFx", "=1+1",
			"`ls`", "လျှို့ဝှက်", "הַשָּׁמַ֖יִם", "1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍⚧️" })
	void aTextIsShownAsItWasWritten(String text) {
		assertPosted(text, text);
		assertThat(this.author.get("/home").body()).doesNotContain("<script>alert", "</p></article><h1>");
	}

	@Test
	void theSameTextIsOnEveryPage() {
		String text = "<b>\"bold\"</b> & more";
		String id = this.author.post(text);
		for (String path : new String[] { "/home", "/timeline", "/@" + this.author.name(), "/posts/" + id }) {
			assertThat(Visitor.of(Site.shared()).get(path, "Cookie", this.author.cookieHeader()).texts()).as(path)
				.contains(text);
		}
	}

	@Test
	void anEmojiCountsAsOneCharacter() {
		assertPosted("x".repeat(280), "x".repeat(280));
		assertPosted("😀".repeat(280), "😀".repeat(280));
	}

	@Test
	void oneCharacterTooManyGets422AndTheTextIsKept() {
		for (String text : new String[] { "x".repeat(281), "😀".repeat(281), "<" + "a\n".repeat(140) }) {
			assertRefused(text, "That is 281 characters; a post has at most 280.");
			assertThat(send(text).textarea()).isEqualTo(text);
		}
	}

	@Test
	void aTextFarTooLongGets413() {
		assertThat(send("x".repeat(20_001)).status()).isEqualTo(413);
	}

	@Test
	void lineEndsBecomeLfAndCountAsOneCharacter() {
		assertPosted("one\r\ntwo\rthree\nfour\r\r\n", "one\ntwo\nthree\nfour\n\n");
		assertPosted("x\r\n".repeat(20) + "y".repeat(240), "x\n".repeat(20) + "y".repeat(240));
		assertThat(send("x\r\n".repeat(20) + "y".repeat(241)).status()).isEqualTo(422);
	}

	@Test
	void aTextThatWouldFillAPageGets422AndIsKept() {
		assertRefused("x" + "\n".repeat(279), "That is 279 line breaks; a post has at most 20.");
		assertRefused("x\u2028".repeat(21), "That is 21 line breaks; a post has at most 20.");
		assertThat(send("x\ny\n".repeat(20)).textarea()).isEqualTo("x\ny\n".repeat(20));
	}

	@Test
	void aLetterKeepsFourMarks() {
		assertPosted("e" + "\u0301".repeat(270) + "n\u0303o", "e" + "\u0301".repeat(4) + "n\u0303o");
		assertPosted("e" + "\u0301\u200d".repeat(6), "e" + "\u0301\u200d".repeat(4) + "\u200d\u200d");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n\r\n\t ", "\u200b\u200d\ufeff", "\u00a0\u2003\u3000", "\u202e", "\u2028",
			"\u3164", "\u115f\u1160\uffa0", "\u2800\u2800", "\u0301", " \u0e49", "\u20e3\ufe0f", "\u00ad", "\u034f",
			"\udb40\udc61", "\ufff8\uffff" })
	void aBlankTextIs422(String text) {
		assertRefused(text, "Write something first.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0000b", "a\u0007b", "a\u001bb", "a\u007fb", "a\u0085b", "a\u000bb" })
	void aControlCharacterIs422(String text) {
		assertRefused(text, "The text contains a control character");
	}

	@Test
	void aFormWithoutATextIs422() {
		assertThat(this.author.submit("/posts").status()).isEqualTo(422);
	}

	@Test
	void aRefusedFormCanBeCorrectedAndSentAgain() {
		Answer refused = this.author.submit("/posts", "body", "x".repeat(281), "once", "first-try", "next",
				"/timeline");
		assertThat(refused.once()).isEqualTo("first-try");
		assertThat(refused.find("name=\"next\" value=\"([^\"]*)\"")).isEqualTo("/timeline");
		Answer posted = this.author.submit("/posts", "body", "short", "once", refused.once(), "next", "/timeline");
		assertThat(posted.status()).isEqualTo(303);
		assertThat(posted.location()).isEqualTo("/timeline");
		assertThat(this.author.get("/home").posts()).containsExactly("short");
	}

}
