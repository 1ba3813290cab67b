package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PublicTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	/** A reply, a like and a repost. */
	private static final int REACTIONS = 3;

	private final Site site = Site.shared();

	private final Visitor stranger = Visitor.of(this.site);

	@Test
	void everyoneReadsEveryonesPostsNewestFirstAndGetsNoCookie() {
		Visitor alice = Visitor.registered(this.site);
		Visitor bob = Visitor.registered(this.site);
		alice.post("from alice");
		bob.post("from bob");
		Answer page = this.stranger.get("/timeline");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.posts()).startsWith("from bob", "from alice");
		assertThat(page.cookies()).isEmpty();
		assertThat(page.body()).doesNotContain("_csrf");
		assertThat(this.stranger.getJson("/timeline").cookies()).isEmpty();
	}

	@Test
	void thePageHasFiftyPostsAndTheNextOneContinues() {
		Visitor alice = Visitor.registered(this.site);
		for (int i = 0; i < 55; i++) {
			alice.post("public " + i);
		}
		Answer first = this.stranger.get("/timeline");
		assertThat(first.posts()).hasSize(50).startsWith("public 54");
		alice.post("arrived meanwhile");
		Answer second = this.stranger.get(first.older());
		assertThat(second.posts()).startsWith("public 4", "public 3", "public 2", "public 1", "public 0");
		assertThat(second.postIds()).doesNotContainAnyElementsOf(first.postIds());
	}

	@Test
	void theNewestUsersAreBesideThePosts() {
		List<String> names = List.of(Visitor.registered(this.site).name(), Visitor.registered(this.site).name());
		String body = this.stranger.get("/timeline").body();
		assertThat(body.indexOf("/@" + names.get(1))).isPositive().isLessThan(body.indexOf("/@" + names.get(0)));
	}

	@Test
	void theArticleIsTheSameForEveryViewer() {
		Visitor alice = Visitor.registered(this.site);
		Visitor bob = Visitor.registered(this.site);
		Visitor carol = Visitor.registered(this.site);
		Visitor dave = Visitor.registered(this.site);
		String id = alice.post("neutral");
		bob.submit("/posts/" + id + "/like");
		carol.submit("/posts/" + id + "/repost");
		dave.postJson("body", "a reply", "once", "reply" + id, "reply_to", id);
		String pattern = "(?s)(<article class=\"post\" id=\"post-" + id + "\".*?</article>)";
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> this.stranger.get("/timeline").find(pattern).split(" data-count=\"1\"", -1).length == 1
					+ REACTIONS);
		String article = this.stranger.get("/timeline").find(pattern);
		assertThat(article)
			.startsWith("<article class=\"post\" id=\"post-" + id + "\" data-post-id=\"" + id + "\" data-author=\""
					+ alice.name() + "\">")
			.contains("<p class=\"post-body\">neutral</p>")
			.containsPattern("<time datetime=\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"")
			.doesNotContain("_csrf", "token");
		assertThat(alice.get("/home").find(pattern)).isEqualTo(article);
		for (String language : List.of("", "?lang=zh")) {
			for (String path : List.of("/timeline", "/@" + alice.name(), "/posts/" + id)) {
				for (Visitor reader : List.of(alice, bob, carol, dave, this.stranger)) {
					assertThat(reader.get(path + language).find(pattern)).as(path + language).isEqualTo(article);
				}
			}
		}
	}

	@Test
	void aCachedPageIsNotShownAfterAChange() {
		Visitor alice = Visitor.registered(this.site);
		String id = alice.post("stays a while");
		Awaitility.await("a page that stays the same, when no other entry is heard any more")
			.atMost(BOUND)
			.until(() -> this.stranger.get("/timeline").body().equals(this.stranger.get("/timeline").body()));
		alice.post("comes after");
		assertThat(this.stranger.get("/timeline").posts()).startsWith("comes after", "stays a while");
		alice.submit("/posts/" + id + "/delete");
		assertThat(this.stranger.get("/timeline").posts()).startsWith("comes after").doesNotContain("stays a while");
		String newcomer = Visitor.registered(this.site).name();
		assertThat(this.stranger.get("/timeline").body()).contains("/@" + newcomer);
	}

	@Test
	void everySignedInReaderGetsTheirOwnPage() {
		Visitor alice = Visitor.registered(this.site);
		Visitor bob = Visitor.registered(this.site);
		alice.post("for all");
		assertThat(alice.get("/timeline").body()).contains("data-viewer=\"" + alice.name() + "\"");
		assertThat(bob.get("/timeline").body()).contains("data-viewer=\"" + bob.name() + "\"");
		assertThat(this.stranger.get("/timeline").body()).doesNotContain("data-viewer")
			.contains("/login?next&#x3D;%2Ftimeline");
	}

}
