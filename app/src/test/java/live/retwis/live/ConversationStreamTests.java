package live.retwis.live;

import java.time.Duration;
import java.util.UUID;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The stream of a conversation has the replies to a post and all that is below them. */
class ConversationStreamTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private final String question = this.alice.post("a question");

	@Test
	void repliesAndRepliesToThemArriveInTheOrderOfTheLogAndNothingElse() {
		Visitor stranger = Visitor.of(this.site);
		// From a position, which may be before the question: an instance may hear of it
		// only now.
		try (EventStream stream = stranger.open(stranger.get("/posts/" + this.question).live())) {
			stream.await((event) -> event.name().equals("position"));
			String answer = this.bob.reply(this.question, "an answer");
			this.bob.post("about something else");
			String below = this.alice.reply(answer, "thanks");
			stream.await((event) -> event.name().equals("counts") && event.data().contains(answer)
					&& event.data().contains("\"replies\":1"));
			assertThat(stream.events("post")).extracting(EventStream.Event::data)
				.filteredOn((data) -> !data.contains("id=\"post-" + this.question + "\""))
				.satisfiesExactly((first) -> assertThat(first).contains("post-" + answer),
						(second) -> assertThat(second).contains("post-" + below));
			this.alice.get("/posts/" + below);
			this.alice.submit("/posts/" + below + "/delete");
			stream.await((event) -> event.name().equals("delete") && event.data().equals(below));
		}
	}

	@Test
	void thePageSaysWhereItsStreamGoesOnAndNothingIsMissingBetween() {
		String before = this.bob.reply(this.question, "before the page");
		Answer page = Awaitility.await()
			.atMost(BOUND)
			.until(() -> this.alice.get("/posts/" + this.question),
					(shown) -> shown.body().contains("id=\"post-" + before + "\""));
		String live = page.live();
		assertThat(live).startsWith("/live/posts/" + this.question + "?after=");
		String after = this.bob.reply(this.question, "after the page");
		try (EventStream stream = Visitor.of(this.site).open(live)) {
			stream.await((event) -> event.name().equals("post") && event.data().contains("post-" + after));
			// A page may show more than its position says. Then the stream brings that,
			// too.
			assertThat(stream.events("post")).filteredOn((event) -> !event.data().contains("post-" + before))
				.singleElement();
		}
	}

	@Test
	void whatIsRepliedToStandsAboveToTheFirst() {
		String answer = this.bob.reply(this.question, "an answer");
		String below = this.alice.reply(answer, "thanks");
		assertThat(this.bob.get("/posts/" + below).texts()).containsSubsequence("a question", "an answer", "thanks");
		this.bob.get("/posts/" + answer);
		this.bob.submit("/posts/" + answer + "/delete");
		Answer page = this.alice.get("/posts/" + below);
		assertThat(page.texts()).containsSubsequence("a question", "thanks").doesNotContain("an answer");
		assertThat(page.body()).containsOnlyOnce("<p class=\"gone parent\">A deleted post.</p>")
			.doesNotContain("The post that this one replies to has been deleted.");
		JsonNode json = this.alice.getJson("/posts/" + below).json();
		assertThat(json.get("parent").isNull()).isTrue();
		assertThat(json.at("/above/0/id").asString()).isEqualTo(this.question);
		try (EventStream stream = Visitor.of(this.site).open("/live/posts/" + this.question)) {
			stream.await((event) -> event.name().equals("position"));
			this.bob.reply(below, "below a deleted one");
			stream.awaitPost("below a deleted one");
		}
	}

	@Test
	void anAddressThatNamesNoPostIsNotFound() {
		try (EventStream stream = Visitor.of(this.site).open("/live/posts/x")) {
			assertThat(stream.status()).isEqualTo(404);
		}
	}

}
