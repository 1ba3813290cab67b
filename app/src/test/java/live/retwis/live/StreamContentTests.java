package live.retwis.live;

import java.time.Duration;
import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which events reach which streams. To see that an event does not come, a test waits for
 * a later entry of the log.
 */
class StreamContentTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** A reply, a like and a repost. */
	private static final int REACTIONS = 3;

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	@Test
	void aPostReachesEveryoneItsFollowersAndItsAuthorButNoStranger() {
		Visitor stranger = Visitor.registered(this.site);
		this.bob.follow(this.alice);
		try (EventStream everyone = Visitor.of(this.site).open("/live/public");
				EventStream alices = Visitor.of(this.site).open("/live/@" + this.alice.name());
				EventStream alicesHome = this.alice.open("/live/home");
				EventStream bobsHome = this.bob.open("/live/home");
				EventStream strangersHome = stranger.open("/live/home");
				EventStream bobs = Visitor.of(this.site).open("/live/@" + this.bob.name())) {
			String id = this.alice.post("from Alice");
			this.bob.post("from Bob");
			stranger.post("from a stranger");
			for (EventStream stream : new EventStream[] { everyone, alices, alicesHome, bobsHome }) {
				assertThat(stream.awaitPost("from Alice").data()).contains("id=\"post-" + id + "\"");
			}
			assertThat(bobs.awaitPost("from Bob").data()).contains("data-author=\"" + this.bob.name() + "\"");
			strangersHome.awaitPost("from a stranger");
			assertThat(bobs.events("post")).hasSize(1);
			assertThat(strangersHome.events("post")).hasSize(1);
			assertThat(alicesHome.events("post")).hasSize(1);
		}
	}

	@Test
	void theMarkupOfAPostIsTheSameAsOnAPage() {
		try (EventStream stream = this.alice.open("/live/home")) {
			String id = this.alice.post("the <b>same</b> & \"everywhere\"");
			assertSame(stream.awaitPost("everywhere").data(), id);
			this.alice.postJson("body", "a reply", "once", "reply1", "reply_to", id);
			assertSame(stream.awaitPost("a reply").data(), id);
		}
	}

	/** The replayed post is as it was made, and another event has its counts. */
	@Test
	void aPostOnAPageAndInAStreamIsTheSameForThoseWhoReactedAndForAStranger() {
		Visitor carol = Visitor.registered(this.site);
		Visitor dave = Visitor.registered(this.site);
		Visitor stranger = Visitor.of(this.site);
		String profile = "/@" + this.alice.name();
		String before;
		try (EventStream stream = stranger.open("/live" + profile)) {
			before = stream.await((event) -> true).id();
		}
		String id = this.alice.post("liked, reposted and answered");
		this.bob.submit("/posts/" + id + "/like");
		carol.submit("/posts/" + id + "/repost");
		dave.postJson("body", "a reply", "once", "reply1", "reply_to", id);
		String count = " data-count=\"1\"";
		Awaitility.await()
			.atMost(SOON)
			.until(() -> stranger.get(profile).body().split(count, -1).length == 1 + REACTIONS);
		for (Visitor reader : List.of(this.alice, this.bob, carol, dave, stranger)) {
			try (EventStream stream = reader.open("/live" + profile, "Last-Event-ID", before)) {
				String markup = stream.awaitPost("liked, reposted and answered").data();
				assertThat(reader.get(profile).body().replace(count, "")).contains(markup);
				stream.await((event) -> event.name().equals("counts")
						&& event.data().equals("{\"post\":\"" + id + "\",\"replies\":1,\"likes\":1,\"reposts\":1}"));
			}
		}
	}

	private void assertSame(String markup, String conversation) {
		assertThat(markup).startsWith("<article class=\"post\" id=\"post-").endsWith("</article>");
		assertThat(this.bob.get("/@" + this.alice.name()).body()).contains(markup);
		assertThat(this.alice.get("/posts/" + conversation).body()).contains(markup);
	}

	@Test
	void theNumberOfRepliesReachesStreamsThatWantThePost() {
		String id = this.alice.post("what do you think?");
		try (EventStream everyone = Visitor.of(this.site).open("/live/public");
				EventStream alices = Visitor.of(this.site).open("/live/@" + this.alice.name());
				EventStream bobsHome = this.bob.open("/live/home")) {
			String before = alices.await((event) -> true).id();
			this.bob.postJson("body", "I think so", "once", "reply1", "reply_to", id);
			for (EventStream stream : new EventStream[] { everyone, alices }) {
				stream.await((event) -> event.name().equals("counts")
						&& event.data().equals("{\"post\":\"" + id + "\",\"replies\":1,\"likes\":0,\"reposts\":0}"));
			}
			this.bob.post("the end");
			bobsHome.awaitPost("the end");
			assertThat(bobsHome.events("counts")).isEmpty();
			try (EventStream resumed = Visitor.of(this.site)
				.open("/live/@" + this.alice.name(), "Last-Event-ID", before)) {
				resumed.await((event) -> event.name().equals("counts") && event.data().contains(id));
			}
		}
	}

	@Test
	void aChangeOfAUserReachesEveryStreamExceptOfThoseWhoDoNotSeeTheUser() {
		Visitor carol = Visitor.registered(this.site);
		carol.submit("/@" + this.alice.name() + "/mute");
		try (EventStream everyone = Visitor.of(this.site).open("/live/public");
				EventStream bobs = Visitor.of(this.site).open("/live/@" + this.bob.name());
				EventStream bobsHome = this.bob.open("/live/home");
				EventStream bobsNotifications = this.bob.open("/live/notifications");
				EventStream carolsHome = carol.open("/live/home")) {
			this.alice.get("/settings");
			this.alice.submit("/settings/profile", "name", "Alice", "bio", "");
			for (EventStream stream : new EventStream[] { everyone, bobs, bobsHome, bobsNotifications }) {
				stream.await((event) -> event.name().equals("profile") && event.data().contains("\"name\":\"Alice\""));
			}
			carol.post("the end");
			carolsHome.awaitPost("the end");
			assertThat(carolsHome.events("profile")).isEmpty();
		}
	}

	@Test
	void aDeletedReplyNoLongerCounts() {
		String id = this.alice.post("what do you think?");
		String reply = this.bob.postJson("body", "nothing", "once", "reply2", "reply_to", id)
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
		try (EventStream alices = Visitor.of(this.site).open("/live/@" + this.alice.name())) {
			this.bob.submit("/posts/" + reply + "/delete");
			alices.await((event) -> event.name().equals("counts")
					&& event.data().equals("{\"post\":\"" + id + "\",\"replies\":0,\"likes\":0,\"reposts\":0}"));
		}
	}

	@Test
	void aDeletionReachesEveryStream() {
		String id = this.alice.post("soon gone");
		try (EventStream everyone = Visitor.of(this.site).open("/live/public");
				EventStream bobsHome = this.bob.open("/live/home");
				EventStream bobs = Visitor.of(this.site).open("/live/@" + this.bob.name())) {
			this.alice.submit("/posts/" + id + "/delete");
			for (EventStream stream : new EventStream[] { everyone, bobsHome, bobs }) {
				stream.await((event) -> event.name().equals("delete") && event.data().equals(id));
			}
		}
	}

	@Test
	void aLaterFollowCountsFromThenOn() {
		try (EventStream home = this.bob.open("/live/home")) {
			this.alice.post("before the follow");
			this.bob.follow(this.alice);
			this.alice.post("while following");
			this.bob.unfollow(this.alice);
			this.alice.post("after the unfollow");
			this.bob.post("the end");
			home.awaitPost("the end");
			assertThat(home.events("post")).hasSize(2)
				.first()
				.extracting(Event::data)
				.asString()
				.contains("while following");
		}
	}

	@Test
	void aFormThatIsSentTwiceMakesOneEvent() {
		try (EventStream home = this.alice.open("/live/home")) {
			this.alice.get("/home");
			Answer first = this.alice.postJson("body", "only once", "once", "same");
			Answer second = this.alice.postJson("body", "only once", "once", "same");
			assertThat(second.postIds()).isEqualTo(first.postIds());
			this.alice.post("the end");
			home.awaitPost("the end");
			assertThat(home.events("post")).hasSize(2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\rb", "a\r\nb", "a\u2028b\u2029c", "data: x\nevent: reset\nid: 1-1.x\nretry: 1\n: y",
			"x\n\n\n\ny", "\n\ndata: {\"missed\":null}\n\n", " leading and trailing ", "\ttab\t", "\uFEFFx",
			"</article><p>", "👩‍👩‍👧 e\u0301 \u202Ertl" })
	void noTextBreaksOutOfItsEvent(String text) {
		try (EventStream home = this.alice.open("/live/home")) {
			String id = this.alice.post(text);
			Event event = home.awaitPost("post-" + id);
			this.alice.post("the end");
			home.awaitPost("the end");
			assertThat(home.events("post")).hasSize(2);
			assertThat(home.events()).extracting(Event::name).containsOnly("position", "post");
			assertThat(home.retry()).as("the server's own").isNotEqualTo("1");
			assertThat(this.alice.get("/posts/" + id).body()).contains(event.data());
			assertThat(this.alice.getJson("/posts/" + id).json().get("posts").get(0).get("body").asString())
				.isEqualTo(text.replaceAll("\r\n?|[\u2028\u2029]", "\n"));
		}
	}

}
