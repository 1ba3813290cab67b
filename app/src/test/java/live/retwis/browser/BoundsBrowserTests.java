package live.retwis.browser;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page that stays open for days.
 */
class BoundsBrowserTests {

	private static final int BOUND = 300;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Optional<String> LAST = Optional.of("post 1");

	private final Site site = Site.shared();

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void itsListAndItsWaitingPostsAreBounded(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		alice.get("/home");
		post(alice, 20);
		Tab scrolled = open(browser, alice);
		scrolled.evaluate("scrollTo({ top: 1000, behavior: 'instant' })");
		Tab atTheTop = open(browser, alice);
		post(alice, BOUND);
		scrolled.await(LIMIT).text(".live-new", BOUND + " new posts");
		atTheTop.await(LIMIT).text("[data-live-pages]", "Reload for older posts");
		atTheTop.await(LIMIT).count("article", BOUND);
		post(alice, 2);
		scrolled.await(LIMIT).text(".live-new", "Many new posts: reload");
		assertThat(scrolled.count("article")).isEqualTo(20);
		assertThat(((Number) Objects.requireNonNull(scrolled.evaluate("scrollY"))).intValue()).as("keeps the place")
			.isEqualTo(1000);
		scrolled.clickAndLoad(".live-new");
		// Posts that fan-out has not delivered yet arrive with the stream.
		scrolled.await()
			.that("the last post", (tab) -> tab.texts("article .post-body").stream().findFirst().equals(LAST));
		assertThat(atTheTop.count("article")).isEqualTo(BOUND);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aConversationIsBoundedAndLeadsToTheRepliesThatItLeavesOut(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		String asked = alice.post("what do you think?");
		post(alice, 10, "reply_to", asked);
		Tab tab = browser.newTab();
		tab.open(this.site.url("/posts/" + asked));
		tab.await().count("[data-live-state='open']", 1);
		post(alice, BOUND - 8, "reply_to", asked);
		tab.await(LIMIT).text("[data-live-pages]", "2 more replies");
		assertThat(tab.count("[data-live-list] article")).isEqualTo(BOUND);
		tab.clickAndLoad("[data-live-pages] a");
		assertThat(tab.texts("[data-live-list] .post-body")).containsExactly("post " + (BOUND - 10),
				"post " + (BOUND - 9));
	}

	private Tab open(Browser browser, Visitor alice) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		return tab;
	}

	private static void post(Visitor visitor, int posts, String... more) {
		for (int i = 0; i < posts; i++) {
			Stream<String> fields = Stream.of("body", "post " + i, "once", UUID.randomUUID().toString());
			assertThat(visitor.postJson(Stream.concat(fields, Stream.of(more)).toArray(String[]::new)).status())
				.isEqualTo(201);
		}
	}

}
