package live.retwis.post;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * If a session ends while a user writes a text, the text is not lost.
 */
class SignedOutPostTests {

	private static final String TEXT = "Lines\n\n<b>and</b> \"quotes\"";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private String once = "";

	@BeforeEach
	void openTheFormAndSignOutElsewhere() {
		Visitor elsewhere = Visitor.signedIn(this.site, this.author.name());
		this.once = this.author.get("/home").once();
		elsewhere.get("/home");
		elsewhere.submit("/logout");
	}

	private Answer send(String... more) {
		String[] fields = new String[6 + more.length];
		System.arraycopy(new String[] { "body", TEXT, "once", this.once, "next", "/timeline" }, 0, fields, 0, 6);
		System.arraycopy(more, 0, fields, 6, more.length);
		return this.author.submit("/posts", fields);
	}

	@Test
	void theFormKeepsItsTextAndAsksForNameAndPassword() {
		Answer asked = send();
		assertThat(asked.status()).isEqualTo(401);
		assertThat(asked.textarea()).isEqualTo(TEXT);
		assertThat(asked.once()).isEqualTo(this.once);
		assertThat(asked.errors()).isEmpty();
		assertThat(asked.body()).contains("You have been logged out.", "name=\"username\"", "name=\"password\"",
				"name=\"next\" value=\"/timeline\"", "Log in and post</button>");
	}

	@Test
	void nameAndPasswordSignInAndMakeThePost() {
		send();
		for (int i = 0; i < 2; i++) {
			Answer posted = send("username", this.author.name(), "password", Visitor.PASSWORD);
			assertThat(posted.status()).isEqualTo(303);
			assertThat(posted.location()).isEqualTo("/timeline");
		}
		assertThat(this.author.isSignedIn()).isTrue();
		assertThat(this.author.get("/home").texts()).as("sent twice, made once").containsExactly(TEXT);
	}

	@Test
	void aWrongPasswordPostsNothingAndKeepsTheText() {
		send();
		Answer refused = send("username", this.author.name(), "password", "wrong password");
		assertThat(refused.status()).isEqualTo(401);
		assertThat(refused.textarea()).isEqualTo(TEXT);
		assertThat(refused.errors()).containsExactly("Wrong username or password.");
		assertThat(refused.body()).doesNotContain("wrong password");
		assertThat(refused.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
		assertThat(Visitor.signedIn(this.site, this.author.name()).get("/home").posts()).isEmpty();
	}

	@Test
	void aReplyIsStillAReply() {
		Visitor bob = Visitor.registered(this.site);
		String parent = bob.post("What do you think?");
		Answer asked = send("reply_to", parent);
		assertThat(asked.body()).contains("name=\"reply_to\" value=\"" + parent + "\"", "Log in and reply</button>");
		send("reply_to", parent, "username", this.author.name(), "password", Visitor.PASSWORD);
		assertThat(bob.get("/posts/" + parent).texts()).containsExactly("What do you think?", TEXT);
	}

	@Test
	void whatWasTypedIntoAnyOtherFormComesBackAndIsTakenAfterTheLogIn() {
		this.author.sending("Origin", this.site.url(""));
		Answer refused = this.author.submit("/settings/profile", "name", "Ada", "bio", TEXT);
		assertThat(refused.status()).isEqualTo(401);
		assertThat(refused.textarea()).isEqualTo(TEXT);
		assertThat(refused.body()).contains("You have been logged out.", "action=\"/settings/profile\"",
				"name=\"name\" value=\"Ada\"");
		String token = refused.find("name=\"_csrf\" value=\"([^\"]*)\"");
		this.author.get("/login");
		this.author.signIn(this.author.name(), Visitor.PASSWORD);
		Answer again = this.author.submit("/settings/profile", "_csrf", token, "name", "Ada", "bio", TEXT);
		assertThat(again.status()).isEqualTo(403);
		assertThat(again.textarea()).isEqualTo(TEXT);
		assertThat(this.author.submit("/settings/profile", "name", "Ada", "bio", TEXT).status()).isEqualTo(303);
	}

	@Test
	void aFormThatIsSentAgainAfterALogOutInTheSameBrowserComesBack() {
		this.author.signIn(this.author.name(), Visitor.PASSWORD);
		this.author.sending("Origin", this.site.url(""));
		String token = this.author.get("/settings/profile").find("name=\"_csrf\" value=\"([^\"]*)\"");
		this.author.submit("/logout");
		Answer refused = this.author.submit("/settings/profile", "_csrf", token, "name", "Ada", "bio", TEXT);
		assertThat(refused.status()).isEqualTo(403);
		Answer again = this.author.submit("/settings/profile", "name", "Ada", "bio", TEXT, "again",
				refused.find("name=\"again\" value=\"([^\"]*)\""));
		assertThat(again.status()).isEqualTo(401);
		assertThat(again.textarea()).isEqualTo(TEXT);
	}

	@Test
	void theReasonOfAReportComesBack() {
		String path = "/posts/" + Visitor.registered(this.site).post("unwanted") + "/report";
		Answer refused = this.author.submit(path, "reason", "advertising");
		assertThat(refused.status()).isEqualTo(401);
		assertThat(refused.body()).contains("action=\"" + path + "\"", "value=\"advertising\"");
	}

	@Test
	void anInvalidTextIsReportedAfterSigningIn() {
		Answer refused = this.author.submit("/posts", "body", " ", "once", this.once, "username", this.author.name(),
				"password", Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.errors()).containsExactly("Write something first.");
		assertThat(refused.body()).doesNotContain("name=\"password\"");
		assertThat(this.author.isSignedIn()).isTrue();
	}

	@Test
	void signingInHereNeedsTheTokenOfAPage() {
		Answer refused = send("_csrf", "", "username", this.author.name(), "password", Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
	}

	@Test
	void aTextFromThePageOfAnotherUserIsNotPosted() {
		Visitor other = Visitor.registered(this.site);
		String[] form = { "body", TEXT, "once", this.once, "author", this.author.id() };
		Answer asked = other.submit("/posts", form);
		assertThat(asked.status()).isEqualTo(409);
		assertThat(asked.textarea()).isEqualTo(TEXT);
		assertThat(asked.body()).contains("You are @" + other.name() + " now.",
				"name=\"author\" value=\"" + other.id() + "\"");
		Answer problem = other.postJson(form);
		assertThat(problem.status()).isEqualTo(409);
		assertThat(problem.json().get("detail").asString()).contains("You are @" + other.name() + " now.");
		assertThat(other.get("/home").texts()).isEmpty();
		form[5] = other.id();
		assertThat(other.postJson(form).status()).isEqualTo(201);
	}

	@Test
	void aTextThatSomebodyElseWasToLogInForIsNotPosted() {
		Visitor other = Visitor.registered(this.site);
		other.get("/home");
		Answer asked = other.submit("/posts", "body", TEXT, "once", this.once, "username", this.author.name(),
				"password", Visitor.PASSWORD);
		assertThat(asked.status()).isEqualTo(409);
		assertThat(asked.textarea()).isEqualTo(TEXT);
		assertThat(other.get("/home").texts()).isEmpty();
	}

	@Test
	void aTextOnThePageOfAnotherUserIsNotPostedByTheLogInOfTheNext() {
		Visitor other = Visitor.registered(this.site);
		Answer asked = send("author", this.author.id(), "username", other.name(), "password", Visitor.PASSWORD);
		assertThat(asked.status()).isEqualTo(409);
		assertThat(asked.textarea()).isEqualTo(TEXT);
		assertThat(other.get("/home").texts()).isEmpty();
	}

	@Test
	void aFormThatComesBackSaysWhoseTextItIs() {
		assertThat(send("author", this.author.id()).body())
			.contains("name=\"author\" value=\"" + this.author.id() + "\"");
	}

	private static Answer sendFrom(String address, String name, String password) {
		Visitor visitor = Visitor.from(address, Site.limited());
		visitor.get("/login");
		return visitor.submit("/posts", "body", TEXT, "once", UUID.randomUUID().toString(), "next", "/timeline",
				"username", name, "password", password);
	}

	@Test
	void aLogInWithAPostIsCountedLikeAnyOther() {
		String address = Visitor.freshAddress();
		Simultaneous.times(20, (i) -> {
			Visitor visitor = Visitor.from(address, Site.limited());
			visitor.get("/login");
			return visitor.signIn(Visitor.freshName(), "wrong password");
		});
		List<Answer> answers = Simultaneous.times(9, (i) -> sendFrom(address, Visitor.freshName(), "wrong password"));
		Answer refused = answers.stream().filter((answer) -> answer.status() == 429).findFirst().orElseThrow();
		assertThat(refused.header("Retry-After")).matches("[1-9]\\d*");
		assertThat(refused.errors()).singleElement().asString().contains("You can go on in");
		assertThat(refused.textarea()).isEqualTo(TEXT);
		assertThat(refused.body()).contains("name=\"username\"").doesNotContain("wrong password");
	}

	@Test
	void aPostWithALogInIsCountedForItsAuthor() {
		Visitor owner = Visitor.limited();
		Answer refused = IntStream.range(0, 20)
			.mapToObj((i) -> sendFrom(Visitor.freshAddress(), owner.name(), Visitor.PASSWORD))
			.filter((answer) -> answer.status() != 303)
			.findFirst()
			.orElseThrow();
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.header("Retry-After")).matches("[1-9]\\d*");
		assertThat(refused.textarea()).isEqualTo(TEXT);
		assertThat(refused.cookies()).as("logged in").anyMatch((cookie) -> cookie.startsWith("auth="));
	}

}
