package live.retwis.live;

import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What readers can learn about the instance that serves them.
 */
class HowLiveTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	@Test
	void thePageShowsTheInstanceItsDelaysAndItsOpenStreams() {
		try (EventStream stream = this.alice.open("/live/public")) {
			stream.awaitPost(this.alice.post("measured"));
			Answer page = Visitor.of(this.site).get("/how-live");
			assertThat(page.status()).isEqualTo(200);
			assertThat(page.body()).contains("<h2 id=\"figures\">" + page.header("X-Instance") + "</h2>")
				.containsPattern("to this server</th><td>[0-9.]+</td><td>[0-9.]+</td><td>[0-9.]+</td>")
				.containsPattern("to the open pages</th><td>[0-9.]+</td><td>[0-9.]+</td><td>[0-9.]+</td>")
				.containsPattern("public timeline <b>[1-9]");
			assertThat(this.alice.get("/how-live").body()).contains("Log out");
		}
	}

	@Test
	void anInstanceThatHasHeardOfNoPostShowsNoFigures() {
		try (Site fresh = Site.another()) {
			assertThat(Visitor.of(fresh).get("/how-live").body()).contains("No posts in the last five minutes.")
				.doesNotContain("to this server</th>");
		}
	}

	@Test
	void jsonHasTheFiguresAndTheDataNodesTime() {
		try (EventStream stream = this.alice.open("/live/public")) {
			stream.awaitPost(this.alice.post("measured"));
			JsonNode figures = this.alice.getJson("/how-live").json();
			assertThat(figures.get("instance").asString()).matches("[0-9a-z]{6}");
			assertThat(Math.abs(figures.get("now").asLong() - System.currentTimeMillis())).isLessThan(60_000);
			for (String way : List.of("received", "written")) {
				assertThat(figures.get(way).get("p50").asDouble()).as(way).isPositive();
				assertThat(figures.get(way).get("max").asDouble()).as(way)
					.isGreaterThanOrEqualTo(figures.get(way).get("p50").asDouble());
			}
		}
	}

	@Test
	void onlyPagesWithAStreamLinkToThePage() {
		assertThat(this.alice.get("/home").body()).contains("href=\"/how-live\"");
		assertThat(Visitor.of(this.site).get("/timeline").body()).contains("href=\"/how-live\"");
		assertThat(this.alice.get("/@" + this.alice.name() + "/followers").body()).doesNotContain("how-live");
	}

	@Test
	void aStreamCanAskWhichInstanceServesIt() {
		String from = startOf("/live/public");
		String post = this.alice.post("replayed");
		try (EventStream asks = this.alice.open("/live/public?after=" + from + "&with=instance");
				EventStream asksNot = this.alice.open("/live/public?after=" + from)) {
			asks.awaitPost(post);
			asksNot.awaitPost(post);
			assertThat(asks.events().subList(0, 2)).containsExactly(new Event(from, "position", "-"),
					new Event(from, "instance", asks.header("X-Instance")));
			assertThat(asksNot.events("instance")).isEmpty();
		}
	}

	private String startOf(String path) {
		try (EventStream stream = this.alice.open(path)) {
			return stream.await((event) -> event.name().equals("position")).id();
		}
	}

}
