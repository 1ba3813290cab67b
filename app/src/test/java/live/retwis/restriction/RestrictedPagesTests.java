package live.retwis.restriction;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.archive.OldStore;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Which posts are on the pages of a viewer who has muted or blocked their author. */
class RestrictedPagesTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor viewer = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private final String tag = "t" + this.other.name().replace("_", "");

	private final String word = "word" + this.tag;

	private final List<String> lists = List.of("/home", "/timeline", "/tags/" + this.tag, "/mentions", "/bookmarks",
			"/search?q=" + this.word);

	RestrictedPagesTests() {
		this.viewer.follow(this.other);
		this.viewer.follow(this.friend);
	}

	private static void repost(Visitor visitor, String postId) {
		visitor.get("/posts/" + postId);
		assertThat(visitor.submit("/posts/" + postId + "/repost").status()).isEqualTo(303);
	}

	private String text(String words) {
		return words + " " + this.word + " @" + this.viewer.name() + " #" + this.tag;
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	@Tag("slow")
	void noPageOfAnyInstanceShowsAPostARepostAReplyOrAMentionByThatUser(String button) {
		try (Site second = Site.another()) {
			Visitor elsewhere = this.viewer.sentTo(second.url(""));
			String own = this.viewer.post("my own");
			String hidden = this.other.post(text("hidden"));
			String hiddenReply = this.other.reply(own, text("hidden reply"));
			String shown = this.friend.post(text("shown"));
			String shownReply = this.friend.reply(own, text("shown reply"));
			String below = this.friend.reply(hidden, text("below the hidden"));
			repost(this.friend, hidden);
			for (String post : List.of(hidden, hiddenReply, shown, shownReply)) {
				assertThat(this.viewer.submit("/posts/" + post + "/bookmark").status()).isEqualTo(303);
			}
			FanOutWait.settle(this.site);
			for (String list : this.lists) {
				Awaitility.await()
					.atMost(SOON)
					.untilAsserted(() -> assertThat(elsewhere.get(list).postIds()).as(list)
						.contains(hidden, hiddenReply, shown, shownReply));
			}
			Answer done = RestrictingVisitor.press(this.viewer, button, this.other);
			assertThat(done.status()).isEqualTo(303);
			assertThat(done.location()).isEqualTo("/@" + this.other.name());
			for (Visitor where : List.of(this.viewer, elsewhere)) {
				Awaitility.await().atMost(SOON).untilAsserted(() -> {
					for (String list : this.lists) {
						assertThat(where.get(list).postIds()).as(list)
							.contains(shown, shownReply)
							.doesNotContain(hidden, hiddenReply);
						assertThat(where.getJson(list).body()).as(list)
							.contains("\"author\":\"" + this.friend.name())
							.doesNotContain("\"author\":\"" + this.other.name());
					}
					assertThat(where.get("/posts/" + own).postIds()).contains(shownReply).doesNotContain(hiddenReply);
					assertThat(where.get("/posts/" + below).body())
						.contains("by somebody whom you have muted or blocked")
						.doesNotContain("id=\"post-" + hidden);
				});
			}
			for (String list : List.of("/timeline", "/tags/" + this.tag)) {
				assertThat(this.other.get(list).postIds()).as(list).contains(hidden);
				assertThat(Visitor.of(this.site).get(list).postIds()).as(list).contains(hidden);
				assertThat(Visitor.of(this.site).get(list, "Cookie", "auth=" + this.viewer.id() + ".x").postIds())
					.as("without the session")
					.contains(hidden);
			}
			RestrictingVisitor.press(this.viewer, "un" + button, this.other);
			for (String list : this.lists.subList(1, this.lists.size())) {
				assertThat(this.viewer.get(list).postIds()).as(list).contains(hidden, hiddenReply);
			}
		}
	}

	@Test
	void aPostStaysWhereItStandsByItselfWhenItsRepostIsHidden() {
		String original = this.friend.post("reposted by somebody who is muted");
		repost(this.other, original);
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		FanOutWait.settle(this.site);
		Answer home = this.viewer.get("/home");
		assertThat(home.postIds()).contains(original);
		assertThat(home.body()).doesNotContain("data-repost-id");
	}

	@Test
	void pagesAreFilledWithOlderPosts() {
		List<String> shown = IntStream.range(0, 22).mapToObj((i) -> {
			String post = this.friend.post("shown " + i + " #" + this.tag);
			this.other.post("hidden " + i + " #" + this.tag);
			return post;
		}).toList();
		FanOutWait.settle(this.site);
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		for (String list : List.of("/home", "/tags/" + this.tag)) {
			Answer first = this.viewer.get(list);
			assertThat(first.postIds()).as(list).hasSize(20).allMatch(shown::contains);
			assertThat(this.viewer.get(first.older()).postIds()).as(list).containsExactly(shown.get(1), shown.get(0));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	@Tag("slow")
	void anOlderPageOfTheHomeTimelineHasNothingOfThatUserThoughItsAddressIsOlder(String button) {
		List<String> shown = IntStream.range(0, 15).mapToObj((i) -> {
			this.other.post("hidden " + i);
			return this.friend.post("shown " + i);
		}).toList();
		FanOutWait.settle(this.site);
		String older = this.viewer.get("/home").older();
		assertThat(older).startsWith("/home?before=");
		assertThat(this.viewer.get(older).postIds()).hasSize(10).contains(shown.get(0));
		RestrictingVisitor.press(this.viewer, button, this.other);
		assertThat(this.viewer.get(older).postIds()).hasSize(5).allMatch(shown::contains);
		assertThat(this.viewer.getJson(older).body()).contains("\"author\":\"" + this.friend.name())
			.doesNotContain("\"author\":\"" + this.other.name());
	}

	@Test
	void thePostsOfThisDayAreThereOfAMutedUserButNotOfABlockedOne() {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		int age = (int) ChronoUnit.DAYS.between(today.minusYears(4), today);
		String old = new OldStore(this.site).plant(this.other, 1, age).get(0);
		String page = "/@" + this.other.name() + "/on-this-day";
		assertThat(this.viewer.get(page).postIds()).containsExactly(old);
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		assertThat(this.viewer.get(page).postIds()).containsExactly(old);
		RestrictingVisitor.press(this.viewer, "block", this.other);
		assertThat(this.viewer.get(page).postIds()).isEmpty();
		assertThat(this.viewer.getJson(page).json().get("posts")).isEmpty();
		assertThat(Visitor.of(this.site).get(page).postIds()).containsExactly(old);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void repliesBehindManyHiddenOnesAreOnTheFirstPage() {
		String post = this.friend.post("much discussed");
		IntStream.range(0, 130).forEach((i) -> this.other.reply(post, "hidden " + i));
		String shown = this.friend.reply(post, "shown");
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		Answer page = this.viewer.get("/posts/" + post);
		assertThat(page.postIds()).containsExactly(post, shown);
		FanOutWait.settle(this.site);
		assertThat(this.viewer.get("/posts/" + post).postIds()).containsExactly(post, shown);
	}

	@Test
	void theProfileOfAMutedUserShowsTheirPostsButNotWhatTheyRepostOfABlockedOne() {
		String post = this.other.post("on my profile");
		String reposted = this.friend.post("reposted");
		repost(this.other, reposted);
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		assertThat(this.viewer.get("/@" + this.other.name()).postIds()).containsExactlyInAnyOrder(post, reposted);
		RestrictingVisitor.press(this.viewer, "block", this.friend);
		Answer profile = this.viewer.get("/@" + this.other.name());
		assertThat(profile.postIds()).containsExactly(post);
		assertThat(profile.body()).contains("You have muted @" + this.other.name(), "/unmute\"", "/block\"",
				"<details");
		assertThat(this.viewer.get("/posts/" + post).postIds()).contains(post);
	}

	@Test
	void theProfileOfABlockedUserSaysSoAndShowsNothing() {
		String post = this.other.post("not for you");
		RestrictingVisitor.press(this.viewer, "block", this.other);
		Answer profile = this.viewer.get("/@" + this.other.name());
		assertThat(profile.postIds()).isEmpty();
		assertThat(profile.body()).contains("You have blocked @" + this.other.name(), "/unblock\"")
			.doesNotContain("/follow\"", "data-live=");
		Answer page = this.viewer.get("/posts/" + post);
		assertThat(page.status()).isEqualTo(403);
		assertThat(page.body()).contains("You have blocked @" + this.other.name()).doesNotContain("not for you");
		assertThat(this.other.get("/@" + this.viewer.name()).body()).doesNotContain("blocked you");
	}

	@ParameterizedTest
	@CsvSource({ "mute, muted", "block, blocked" })
	void aProgramIsToldInJsonWhomItsUserMutesAndBlocks(String button, String list) {
		String profile = "/@" + this.friend.name();
		this.viewer.get(profile);
		for (String form : List.of(button, button, "un" + button, "un" + button, button)) {
			Answer answer = this.viewer.submitJson(profile + "/" + form);
			assertThat(answer.status()).as(form).isEqualTo(200);
			assertThat(answer.json().get("username").asString()).isEqualTo(this.friend.name());
			assertThat(answer.json().get(list).asBoolean()).as(form).isEqualTo(form.equals(button));
			JsonNode users = this.viewer.getJson("/settings/" + list).json().get("users");
			assertThat(users).as(form).hasSize(form.equals(button) ? 1 : 0);
		}
		JsonNode page = this.viewer.getJson("/settings/" + list).json();
		assertThat(page.get("users").get(0).get("username").asString()).isEqualTo(this.friend.name());
		assertThat(page.get("users").get(0).get("followed").asBoolean()).isEqualTo(button.equals("mute"));
		assertThat(page.get("older").isNull()).isTrue();
		assertThat(this.viewer.submitJson("/@" + this.viewer.name() + "/" + button).status()).isEqualTo(422);
	}

	@Test
	void theSettingsListBothAndTakeThemBack() {
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		RestrictingVisitor.press(this.viewer, "block", this.friend);
		assertThat(this.viewer.get("/settings").body()).contains("/settings/muted", "/settings/blocked");
		assertThat(this.viewer.get("/settings/muted").body())
			.contains("formaction=\"/@" + this.other.name() + "/unmute\"")
			.doesNotContain(this.friend.name());
		assertThat(this.viewer.get("/settings/blocked").body())
			.contains("formaction=\"/@" + this.friend.name() + "/unblock\"")
			.doesNotContain(this.other.name());
		assertThat(this.viewer.submit("/@" + this.friend.name() + "/unblock").status()).isEqualTo(303);
		assertThat(this.viewer.get("/settings/blocked").body()).contains("You have blocked nobody.");
		assertThat(Visitor.of(this.site).get("/settings/muted").status()).isEqualTo(303);
	}

}
