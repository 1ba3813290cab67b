package live.retwis.mention;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who is mentioned or replied to finds the posts on one page. */
class MentionTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site, "R" + Visitor.freshName());

	private void awaitMentions(String... posts) {
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.reader.get("/mentions").postIds()).containsExactly(posts));
	}

	@Test
	void aMentionIsALinkToAUserWhoIsThereUnderTheNameThatWasRegistered() {
		String written = this.reader.name().toLowerCase(Locale.ROOT);
		this.author.post("@" + written + " and @nobody_" + written);
		assertThat(this.author.get("/home").posts()).first()
			.isEqualTo("<a href=\"/@" + this.reader.name() + "\">@" + written + "</a> and @nobody_" + written);
		assertThat(this.author.get("/home").texts()).first().isEqualTo("@" + written + " and @nobody_" + written);
	}

	@Test
	void mentionsAndRepliesAreListedOnceNewestFirstAndOnesOwnAreNot() {
		String own = this.reader.post("about myself, @" + this.reader.name());
		String mention = this.author.post("@" + this.reader.name() + " @" + this.reader.name() + " hello");
		String both = this.author.reply(own, "@" + this.reader.name() + " yes");
		String replied = this.author.reply(own, "and more");
		this.reader.reply(own, "to myself");
		awaitMentions(replied, both, mention);
		assertThat(this.reader.getJson("/mentions").json().get("posts")).hasSize(3);
		assertThat(this.reader.get("/home").body()).contains("<a href=\"/mentions\">Mentions</a>");
		assertThat(this.author.get("/mentions").body()).contains("Nobody has mentioned you yet.");
	}

	@Test
	void mentionsArePaged() {
		List<String> posts = IntStream.range(0, 21)
			.mapToObj((i) -> this.author.post("@" + this.reader.name() + " " + i))
			.toList();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zcard(Keys.mentions(this.reader.id())) == posts.size());
		Answer page = this.reader.get("/mentions");
		assertThat(page.postIds()).hasSize(20).startsWith(posts.get(20));
		assertThat(this.reader.get(page.older()).postIds()).containsExactly(posts.get(0));
	}

	@Test
	void whoIsNotSignedInIsTakenToTheLogIn() {
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/mentions").location()).isEqualTo("/login?next=%2Fmentions");
		assertThat(stranger.getJson("/mentions").status()).isEqualTo(401);
		assertThat(stranger.get("/timeline").body()).doesNotContain("/mentions");
	}

	@Test
	void aDeletedPostLeavesTheList() {
		String post = this.author.post("@" + this.reader.name() + " soon gone");
		awaitMentions(post);
		this.author.submit("/posts/" + post + "/delete");
		awaitMentions();
		Awaitility.await().atMost(SOON).until(() -> {
			this.reader.get("/mentions");
			return this.site.redis().exists(Keys.mentions(this.reader.id())) == 0;
		});
	}

	@Test
	void aDeletedPostLeavesTheListAlsoIfNobodyOpensIt() {
		String own = this.reader.post("to be answered");
		String stays = this.author.post("@" + this.reader.name().toUpperCase(Locale.ROOT) + " stays");
		String mention = this.author.post("@" + this.reader.name() + " soon gone");
		String replied = this.author.reply(own, "gone as well");
		String key = Keys.mentions(this.reader.id());
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zrange(key, 0, -1).equals(List.of(stays, mention, replied)));
		for (String post : List.of(mention, replied)) {
			this.author.get("/posts/" + post);
			assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
		}
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zrange(key, 0, -1).equals(List.of(stays)));
	}

	@Test
	void theListAndTheLinksGoWithTheAccount() {
		String readerId = this.reader.id();
		String text = "@" + this.reader.name() + " goodbye";
		awaitMentions(this.author.post(text));
		this.reader.get("/settings");
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.mentions(readerId)) == 0);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.author.get("/home").posts()).first().isEqualTo(text));
	}

}
