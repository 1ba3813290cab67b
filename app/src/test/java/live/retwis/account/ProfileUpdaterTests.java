package live.retwis.account;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.Intent;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@ExtendWith(RedisExtension.class)
class ProfileUpdaterTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private static Answer save(Visitor visitor, String name, String bio) {
		visitor.get("/settings");
		return visitor.submit("/settings/profile", "name", name, "bio", bio);
	}

	private static String shownName(Answer profile) {
		return profile.find("<bdi data-name-of=\"[0-9A-Z]+\">(.*?)</bdi>");
	}

	private static String shownBio(Answer profile) {
		return profile.find("(?s)<p class=\"bio\"[^>]*>(.*?)</p>");
	}

	private Answer profile() {
		return Visitor.of(this.site).get("/@" + this.visitor.name());
	}

	@Test
	void aProfileShowsNameUsernameAndBio() {
		assertThat(shownName(profile())).isEqualTo(this.visitor.name());
		assertThat(shownBio(profile())).isEmpty();
		Answer saved = save(this.visitor, "  علي 李 <b>&</b> 👩🏽‍🚀 ", "first line\r\nsecond <i>line</i>\n");
		assertThat(saved.status()).isEqualTo(303);
		assertThat(this.visitor.get(saved.location()).body()).contains("Your profile has been saved.",
				"value=\"علي 李 &lt;b&gt;&amp;&lt;/b&gt; 👩🏽‍🚀\"");
		assertThat(shownName(profile())).isEqualTo("علي 李 &lt;b&gt;&amp;&lt;/b&gt; 👩🏽‍🚀");
		assertThat(shownBio(profile())).isEqualTo("first line\nsecond &lt;i&gt;line&lt;/i&gt;");
		assertThat(profile().body()).contains("<p class=\"hint\">@" + this.visitor.name() + "</p>");
		this.visitor.post("by the same author");
		assertThat(profile().body()).contains("data-author=\"" + this.visitor.name() + "\"");
	}

	@Test
	void theNameStandsBesideTheUsernameInPostsAndListsOfPeople() {
		Visitor reader = Visitor.registered(this.site);
		reader.follow(this.visitor);
		this.visitor.follow(reader);
		String post = this.visitor.post("by somebody with a name");
		String beside = "<bdi class=\"name\" data-name-of=\"" + this.visitor.id() + "\">";
		assertThat(reader.get("/posts/" + post).body()).contains(beside + "</bdi>");
		save(this.visitor, "小明 & Co", "");
		for (String page : List.of("/posts/" + post, "/@" + this.visitor.name(), "/home")) {
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(reader.get(page).body()).as(page).contains(beside + "小明 &amp; Co</bdi>"));
		}
		Answer followers = reader.get("/@" + reader.name() + "/followers");
		assertThat(followers.body()).contains("@" + this.visitor.name() + " " + beside + "小明 &amp; Co</bdi></a>");
		assertThat(reader.getJson("/@" + reader.name() + "/followers").body()).contains("\"name\":\"小明 & Co\"");
	}

	@Test
	void withoutANameTheUsernameIsShown() {
		for (String blank : new String[] { " ", "\u3164", "\u2800\u0301" }) {
			save(this.visitor, "Somebody", "");
			save(this.visitor, blank, "");
			assertThat(shownName(profile())).isEqualTo(this.visitor.name());
		}
	}

	@Test
	void fiftyCharactersOfANameAndOneHundredAndSixtyOfABioAreTheMost() {
		assertThat(save(this.visitor, "𝒜".repeat(50), "𝒜".repeat(160)).status()).isEqualTo(303);
		Answer answer = save(this.visitor, "𝒜".repeat(51), "𝒜".repeat(161));
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("Use at most 50 characters.", "Use at most 160 characters.");
		assertThat(answer.body()).contains("𝒜".repeat(51), "𝒜".repeat(161));
		assertThat(shownName(profile())).isEqualTo("𝒜".repeat(50));
	}

	@Test
	void aProfileCannotCoverWhatIsAroundIt() {
		save(this.visitor, "e" + "\u0301".repeat(49), "n" + "\u0303".repeat(150));
		assertThat(shownName(profile())).isEqualTo("e" + "\u0301".repeat(4));
		assertThat(shownBio(profile())).isEqualTo("n" + "\u0303".repeat(4));
		assertThat(save(this.visitor, "e", "x\r\n".repeat(21) + "y").errors())
			.containsExactly("Use at most 20 line breaks.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\tb", "a\0b", "a\u202eb", "a\u2066b", "a\u200fb", "a\u061cb", "a\u2028b",
			"a\u0085b", "a\u3164", "a\u2800b", "a\u00adb", "a\u034fb", "a\u17b4b", "a\u17b5b", "a\u180bb", "a\u180fb",
			"a\ufe00b", "a\ufe0e", "a\ufe0f", "1\ufe0f", "❤\ufe01", "\u2800\ufe0fa", "a\ufff9b", "a\ufffbb",
			"a\udb40\udc01b", "a\udb40\udc67\udb40\udc7f", "🏴\udb40\udc67\udb40\udc62a", "a\udb40\udd00" })
	void aNameWithAnUnseenCharacterIsRefused(String name) {
		Answer answer = save(this.visitor, name, "");
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("There is an invisible character in this text. Type it again.");
		assertThat(shownName(profile())).isEqualTo(this.visitor.name());
	}

	/**
	 * A heart, a rainbow flag, a key of a telephone, the flag of Scotland, and one of two
	 * shapes of an ideograph.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "❤\ufe0f", "‼\ufe0e", "☝🏽\ufe0f", "🏳\ufe0f\u200d🌈", "1\ufe0f\u20e3",
			"🏴\udb40\udc67\udb40\udc62\udb40\udc73\udb40\udc63\udb40\udc74\udb40\udc7f", "葛\udb40\udd00城" })
	void aNameMayHaveTheUnseenCharactersThatChooseTheShapeOfTheOneBefore(String name) {
		assertThat(save(this.visitor, "Ada " + name, name).status()).isEqualTo(303);
		assertThat(shownName(profile())).isEqualTo("Ada " + name);
		assertThat(shownBio(profile())).isEqualTo(name);
	}

	@Test
	void openPagesShowTheNewNameAndTheLogHasNone() {
		try (EventStream stream = Visitor.of(this.site).open("/live/@" + this.visitor.name())) {
			stream.await((event) -> event.name().equals("position"));
			save(this.visitor, "Ada\u00a0Lovelace", "first\nof <all> #tags");
			stream.await((event) -> event.name().equals("profile"));
			JsonNode told = JsonMapper.shared().readTree(stream.events("profile").get(0).data());
			assertThat(told.get("user").asString()).isEqualTo(this.visitor.id());
			assertThat(told.get("username").asString()).isEqualTo(this.visitor.name());
			assertThat(told.get("name").asString()).isEqualTo("Ada\u00a0Lovelace");
			assertThat(told.get("bio").asString()).isEqualTo("first\nof <all> #tags");
			assertThat(told.get("bio_html").asString())
				.isEqualTo("first\nof &lt;all&gt; <a href=\"/tags/tags\">#tags</a>");
			assertThat(shownBio(profile())).isEqualTo(told.get("bio_html").asString());
		}
		assertThat(this.site.redis().xrange(Keys.LOG, Range.unbounded()).toString()).doesNotContain("Lovelace");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void otherInstancesShowTheNewName(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis); Site two = Site.start(redis)) {
			Visitor ada = Visitor.registered(one);
			Visitor elsewhere = Visitor.of(two);
			assertThat(shownName(elsewhere.get("/@" + ada.name()))).isEqualTo(ada.name());
			save(ada, "Ada", "");
			Awaitility.await().atMost(SOON).until(() -> shownName(elsewhere.get("/@" + ada.name())).equals("Ada"));
		}
	}

	@Test
	void anInstanceThatDiesBeforeItLogsAChangeLeavesThatToAnother() {
		try (EventStream stream = Visitor.of(this.site).open("/live/@" + this.visitor.name())) {
			stream.await((event) -> event.name().equals("position"));
			this.site.redis().hset(Keys.user(this.visitor.id()), "name", "Stored");
			this.site.redis().zadd(Keys.INTENTS, 1, Intent.of(Intent.Kind.PROFILE, this.visitor.id(), "-").text());
			stream.await((event) -> event.name().equals("profile") && event.data().contains("Stored"));
		}
		assertThat(shownName(profile())).isEqualTo("Stored");
	}

	@Test
	void nothingIsLeftOfThemWhenTheAccountIsDeleted() {
		save(this.visitor, "To be forgotten", "and this, too");
		String user = Keys.user(this.visitor.id());
		assertThat(this.site.redis().hget(user, "bio")).isEqualTo("and this, too");
		this.visitor.get("/settings");
		this.visitor.submit("/settings/delete", "password", Visitor.PASSWORD);
		assertThat(this.site.redis().hexists(user, "name") || this.site.redis().hexists(user, "bio")).isFalse();
	}

	@Test
	void signedOutVisitorsAreSentToTheLogIn() {
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		assertThat(stranger.submit("/settings/profile", "name", "x").location()).isEqualTo("/login?next=%2Fsettings");
	}

}
