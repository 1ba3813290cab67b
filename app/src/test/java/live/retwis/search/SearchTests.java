package live.retwis.search;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.account.AccountSuspension;
import live.retwis.account.UserSearchIndex;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Users and tags are found by their beginning, and posts by their words. */
class SearchTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor stranger = Visitor.of(this.site);

	/** A word that was not used before. */
	private final String word = "w" + this.author.name().toLowerCase(Locale.ROOT);

	private static String path(String query) {
		return "/search?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
	}

	private static List<String> names(Answer page) {
		return Pattern.compile("<li><a class=\"author\" href=\"/@([^\"]*)\"")
			.matcher(page.body())
			.results()
			.map((r) -> r.group(1))
			.toList();
	}

	private Answer search(String query) {
		Answer page = this.stranger.get(path(query));
		assertThat(page.status()).as(query).isEqualTo(200);
		return page;
	}

	private void awaitPost(String query, String post) {
		Awaitility.await().atMost(SOON).until(() -> search(query).postIds().contains(post));
	}

	@Test
	void aUserIsFoundByTheBeginningOfTheNameWhateverItsCase() {
		String name = this.author.name();
		for (String query : List.of(name, name.toUpperCase(Locale.ROOT), name.substring(0, name.length() - 1),
				"@" + name)) {
			assertThat(names(search(query))).as(query).contains(name);
		}
		assertThat(names(search(name + "x"))).isEmpty();
	}

	@Test
	void aZeroCharacterInAQueryDoesNotMoveThePostsIntoItsField() {
		awaitPost(this.word, this.author.post("about " + this.word));
		assertThat(search(this.word + "\0").body()).contains("value=\"" + this.word + "\ufffd\"");
	}

	@Test
	void aUserIsFoundByTheNameOfToday() {
		rename("Ada " + this.word + " 王小明");
		awaitFound(this.word, true);
		assertThat(names(search("ada " + this.word.substring(0, this.word.length() - 1)))).contains(this.author.name());
		awaitFound("小明 " + this.word, true);
		rename("Grace");
		awaitFound(this.word, false);
		awaitFound(this.author.name(), true);
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zscore("names:w", this.word + " " + this.author.id()) == null);
	}

	@Test
	void theUserWithThisUsernameIsFirstAlthoughManyHaveItInTheirName() {
		String name = this.author.name();
		plantNames(name.toLowerCase(Locale.ROOT));
		for (String query : List.of(name, "@" + name, name.toUpperCase(Locale.ROOT))) {
			assertThat(names(search(query))).as(query).hasSize(10).startsWith(name);
		}
		Visitor viewer = Visitor.registered(this.site);
		viewer.get("/@" + name);
		viewer.submit("/@" + name + "/mute");
		assertThat(names(viewer.get(path(name)))).hasSize(10).doesNotContain(name);
		assertThat(this.site.bean(AccountSuspension.class).set(this.author.id(), true).block(SOON)).isTrue();
		awaitFound(name, false);
	}

	@Test
	void aUserIsFoundBySeveralWordsAlthoughManyHaveOneOfThem() {
		String common = "x" + this.word;
		rename(common + " " + this.word);
		awaitFound(this.word, true);
		plantNames(common);
		assertThat(names(search(common + " " + this.word))).containsExactly(this.author.name());
		assertThat(names(search(this.word + " " + common))).containsExactly(this.author.name());
	}

	/** Users with the word in their name, who come before all others in the index. */
	private void plantNames(String word) {
		String mark = this.author.id().substring(7);
		IntStream.range(0, 120).mapToObj((i) -> "0000%03d%s".formatted(i, mark)).forEach((id) -> {
			this.site.redis().hset(Keys.user(id), Map.of("username", "u" + id, "created", "1000", "name", word));
			this.site.redis().zadd(Keys.NAMES + word.charAt(0), 0, UserSearchIndex.text(word, id));
		});
	}

	private void rename(String name) {
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/profile", "name", name, "bio", "").status()).isEqualTo(303);
	}

	private void awaitFound(String query, boolean found) {
		Awaitility.await().atMost(SOON).until(() -> names(search(query)).contains(this.author.name()) == found);
	}

	@Test
	void aDeletedAccountIsNotFoundAndLeavesNothing() {
		String id = this.author.id();
		rename(this.word);
		awaitFound(this.word, true);
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		awaitFound(this.author.name(), false);
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.keys("names:*")
				.stream()
				.noneMatch((key) -> this.site.redis()
					.zrange(key, 0, -1)
					.stream()
					.anyMatch((text) -> text.endsWith(" " + id))));
	}

	@Test
	void aSuspendedUserIsNotFoundUntilRestored() {
		AccountSuspension suspension = this.site.bean(AccountSuspension.class);
		assertThat(suspension.set(this.author.id(), true).block(SOON)).isTrue();
		awaitFound(this.author.name(), false);
		assertThat(suspension.set(this.author.id(), false).block(SOON)).isTrue();
		awaitFound(this.author.name(), true);
	}

	@Test
	void postsOfAUserWhomTheViewerHasMutedAreFoundByOthersOnly() {
		Visitor viewer = Visitor.registered(this.site);
		String post = this.author.post(this.word);
		awaitPost(this.word, post);
		assertThat(viewer.get(path(this.word)).postIds()).containsExactly(post);
		viewer.get("/@" + this.author.name());
		viewer.submit("/@" + this.author.name() + "/mute");
		assertThat(viewer.get(path(this.word)).postIds()).isEmpty();
		assertThat(search(this.word).postIds()).containsExactly(post);
	}

	@Test
	void theViewerCanFollowWhomTheSearchFinds() {
		Visitor viewer = Visitor.registered(this.site);
		String path = path(this.author.name());
		assertThat(viewer.get(path).entryOf(this.author)).contains(">no followers<",
				"formaction=\"/@" + this.author.name() + "/follow\"");
		viewer.follow(this.author);
		assertThat(viewer.get(path).entryOf(this.author))
			.contains("formaction=\"/@" + this.author.name() + "/unfollow\"");
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(viewer.get(path).entryOf(this.author)).contains(">1 follower<"));
	}

	@Test
	void aTagIsFoundByItsBeginningAsLongAsItHasPosts() {
		String post = this.author.post("#" + this.word + "x and #" + this.word + "y");
		this.author.post("#" + this.word + "x");
		String link = "<a href=\"/tags/%1$s\">#<bdi>%1$s</bdi></a> <span class=\"hint\">%2$s</span>";
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(search("#" + this.word.toUpperCase(Locale.ROOT)).body())
				.contains(link.formatted(this.word + "x", "2 posts"), link.formatted(this.word + "y", "1 post")));
		this.author.get("/posts/" + post);
		this.author.submit("/posts/" + post + "/delete");
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(search(this.word).body()).doesNotContain("#<bdi>" + this.word + "y<")
				.contains(link.formatted(this.word + "x", "1 post")));
		assertThat(this.site.redis().exists("tag:" + this.word + "y")).isZero();
	}

	@Test
	void tagsWithoutPostsHideNoOthersAndAreForgotten() {
		IntStream.range(0, 20).forEach((i) -> this.site.redis().zadd("tags:w", 0, "%s%02d".formatted(this.word, i)));
		this.author.post("#" + this.word + "x");
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(search("#" + this.word).body()).contains("<bdi>" + this.word + "x</bdi>"));
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.site.redis().zrange("tags:w", 0, -1))
				.filteredOn((tag) -> tag.startsWith(this.word))
				.containsExactly(this.word + "x"));
	}

	@Test
	void aPostIsFoundByAllOfItsWordsInAnyOrder() {
		String first = this.author.post("Good Morning, " + this.word + "! #coffee 天气很好");
		String second = this.author.post("good evening " + this.word);
		awaitPost(this.word, second);
		assertThat(search(this.word).postIds()).containsExactly(second, first);
		assertThat(search(this.word + " MORNING good").postIds()).containsExactly(first);
		assertThat(search("很好 " + this.word).postIds()).containsExactly(first);
		assertThat(search(this.word + " tea").postIds()).isEmpty();
		assertThat(search(this.word.substring(0, 4) + " morning").postIds()).doesNotContain(first);
	}

	@Test
	void aDeletedPostIsNotFoundAndNoListTellsItsWords() {
		String post = this.author.post("going " + this.word);
		awaitPost(this.word, post);
		this.author.get("/posts/" + post);
		this.author.submit("/posts/" + post + "/delete");
		Answer page = search(this.word);
		assertThat(page.postIds()).isEmpty();
		assertThat(page.body()).contains("Nothing was found.");
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().exists(Keys.word(this.word), Keys.wordsOf(post)) == 0);
	}

	@Test
	void thePostsArePaged() {
		List<String> texts = IntStream.range(0, 22).mapToObj((i) -> this.word + " " + (21 - i)).toList();
		String last = "";
		for (int i = 0; i < 22; i++) {
			last = this.author.post(this.word + " " + i);
		}
		awaitPost(this.word, last);
		Answer page = search(this.word);
		assertThat(page.texts()).isEqualTo(texts.subList(0, 20));
		assertThat(this.stranger.get(page.older()).texts()).isEqualTo(texts.subList(20, 22));
		assertThat(this.stranger.get(path("other") + "&before=" + page.older().split("before=")[1]).status())
			.isEqualTo(400);
	}

	@Test
	void aListOfAWordIsBoundedAndExpires() {
		String key = Keys.word(this.word);
		long yesterday = System.currentTimeMillis() - Duration.ofDays(1).toMillis();
		IntStream.range(0, 1000).forEach((i) -> this.site.redis().zadd(key, yesterday + i, "0%012d".formatted(i)));
		awaitPost(this.word, this.author.post(this.word));
		assertThat(this.site.redis().zcard(key)).isEqualTo(1000);
		assertThat(this.site.redis().ttl(key)).isBetween(Duration.ofDays(6).toSeconds(),
				Duration.ofDays(7).toSeconds());
	}

	@Test
	void aPostIsFoundForSomeDays() {
		String key = Keys.word(this.word);
		this.site.redis().zadd(key, System.currentTimeMillis() - Duration.ofDays(8).toMillis(), "0000000000001");
		String post = this.author.post(this.word);
		awaitPost(this.word, post);
		assertThat(this.site.redis().zrange(key, 0, -1)).containsExactly(post);
	}

	@Test
	void everyQueryHasAClearAnswer() {
		assertThat(this.stranger.get("/search").body()).contains("Search for users, for tags");
		assertThat(search("  ").body()).contains("Search for users, for tags");
		assertThat(search("🙂").body()).contains("Type letters or digits");
		assertThat(search("*?[^]{}\\").body()).contains("Type letters or digits");
		assertThat(search("x".repeat(201)).body()).contains("at most 200 characters");
		assertThat(search(this.word + "none").body()).contains("Nothing was found.");
		assertThat(search("<b>\" & '").body()).contains("value=\"&lt;b&gt;&quot; &amp; &#39;\"");
		assertThat(search("\u0000\uffff\n").status()).isEqualTo(200);
		for (String query : List.of("x".repeat(10_000), "天".repeat(10_000))) {
			assertThat(this.stranger.get(path(query)).status()).isIn(200, 414);
		}
	}

	@Test
	void aStarFindsNoOtherWord() {
		this.author.post(this.word + "star");
		String other = this.author.post(this.word);
		awaitPost(this.word, other);
		assertThat(search(this.word + "*").postIds()).containsExactly(other);
	}

	@Test
	void theResultIsThereAsJson() {
		String post = this.author.post("#" + this.word + " json");
		awaitPost(this.word, post);
		Visitor reader = Visitor.registered(this.site);
		assertThat(reader.getJson("/search").json().get("trending").isArray()).isTrue();
		Awaitility.await("at least the author is new here")
			.atMost(SOON)
			.until(() -> !reader.getJson("/search").json().get("suggestions").isEmpty());
		JsonNode found = this.stranger.getJson(path(this.word)).json();
		assertThat(found.get("posts").get(0).get("id").asString()).isEqualTo(post);
		assertThat(found.get("tags").get(0).get("tag").asString()).isEqualTo(this.word);
		assertThat(found.get("tags").get(0).get("posts").asInt()).isOne();
		JsonNode user = this.stranger.getJson(path(this.author.name())).json().get("users").get(0);
		assertThat(user.get("username").asString()).isEqualTo(this.author.name());
		assertThat(user.get("followed").isNull()).as("unknown while signed out").isTrue();
		reader.follow(this.author);
		Awaitility.await("the number in lists, which waits for the log").atMost(SOON).untilAsserted(() -> {
			JsonNode followed = reader.getJson(path(this.author.name())).json().get("users").get(0);
			assertThat(followed.get("followed").asBoolean()).isTrue();
			assertThat(followed.get("followers").asInt()).isOne();
		});
	}

	@Test
	void everyPageHasTheFieldAndItKeepsTheQuery() {
		String field = "<form class=\"search\" role=\"search\" action=\"/search\">";
		for (String page : List.of("/timeline", "/login", "/@" + this.author.name())) {
			assertThat(this.stranger.get(page).body()).contains(field);
		}
		assertThat(search(this.word).body()).contains("name=\"q\" value=\"" + this.word + "\"");
	}

}
