package live.retwis.notification;

import java.time.Duration;
import java.util.List;

import live.retwis.testing.EventStream;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages and streams have the number of unread notifications. */
class UnreadNumberStreamTests extends NotificationScene {

	@Test
	void everyPageOfTheReaderHasTheNumberAndNoPageOfASignedOutVisitor() {
		this.friend.follow(this.reader);
		Awaitility.await().atMost(SOON).until(() -> stored() == 1);
		for (String page : List.of("/home", "/timeline", "/mentions", "/@" + this.friend.name(), "/settings",
				"/nothing/here")) {
			assertThat(this.reader.get(page).body()).as(page).contains("data-unread>1</span>");
		}
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/timeline").body()).doesNotContain("data-unread", PATH);
		assertThat(stranger.get(PATH).location()).isEqualTo("/login?next=%2Fnotifications");
		assertThat(stranger.getJson(PATH).status()).isEqualTo(401);
		assertThat(stranger.getJson(PATH + "/unread").status()).isEqualTo(401);
	}

	@Test
	void openHomesAreToldOfEachNumberAndOfNobodyElses() {
		try (EventStream home = this.reader.open("/live/home"); EventStream others = this.friend.open("/live/home")) {
			home.await((event) -> event.name().equals("position"));
			this.friend.follow(this.reader);
			String after = home.await((event) -> event.data().equals("{\"unread\":1}")).id();
			this.reader.get(PATH);
			home.await((event) -> event.data().equals("{\"unread\":0}"));
			assertThat(home.events("notify").stream().map(EventStream.Event::data).distinct())
				.containsExactly("{\"unread\":1}", "{\"unread\":0}");
			assertThat(others.events("notify")).isEmpty();
			try (EventStream resumed = this.reader.open("/live/home", "Last-Event-ID", after)) {
				EventStream.Event again = resumed.await((event) -> event.name().equals("notify"));
				assertThat(again.data()).isEqualTo("{\"unread\":0}");
				home.await(again::equals);
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void everyStreamOfTheReaderBringsTheNumberAlsoWhenItIsResumed() {
		String post = this.reader.post("about #numbers");
		for (String path : List.of("/live/notifications", "/live/public", "/live/@" + this.friend.name(),
				"/live/tags/numbers", "/live/posts/" + post)) {
			try (EventStream stream = this.reader.open(path);
					EventStream strangers = Visitor.of(this.site).open(path.replace("notifications", "public"))) {
				String begun = stream.await((event) -> event.name().equals("position")).id();
				strangers.await((event) -> event.name().equals("position"));
				press(this.friend, post, "like");
				stream.await((event) -> event.data().equals("{\"unread\":1}"));
				try (EventStream resumed = this.reader.open(path, "Last-Event-ID", begun)) {
					EventStream.Event again = resumed.await((event) -> event.name().equals("notify"));
					assertThat(again.data()).isEqualTo("{\"unread\":1}");
					stream.await(again::equals);
				}
				this.reader.get(PATH);
				stream.await((event) -> event.data().equals("{\"unread\":0}"));
				assertThat(strangers.events("notify")).isEmpty();
				press(this.friend, post, "unlike");
			}
		}
	}

	@Test
	void aResumedPublicStreamBringsEveryReaderTheSameButForTheNumber() {
		try (EventStream before = Visitor.of(this.site).open("/live/public");
				EventStream hers = this.reader.open("/live/public")) {
			String begun = before.await((event) -> event.name().equals("position")).id();
			hers.await((event) -> event.name().equals("position"));
			this.friend.follow(this.reader);
			hers.await((event) -> event.name().equals("notify"));
			this.friend.post("the last one");
			try (EventStream signedOut = Visitor.of(this.site).open("/live/public", "Last-Event-ID", begun);
					EventStream signedIn = this.reader.open("/live/public", "Last-Event-ID", begun)) {
				signedOut.awaitPost("the last one");
				signedIn.awaitPost("the last one");
				assertThat(signedOut.events("notify")).isEmpty();
				assertThat(signedIn.events("notify")).hasSize(1);
				List<EventStream.Event> posts = signedOut.events("post");
				assertThat(signedIn.events("post")).isEqualTo(posts);
			}
		}
	}

	@Test
	void theLightStreamIsForWhoeverIsSignedInAndEndsWithTheLogOut() {
		assertThat(Visitor.of(this.site).get("/live/notifications").status()).isEqualTo(401);
		try (EventStream light = this.reader.open("/live/notifications")) {
			light.await((event) -> event.name().equals("position"));
			this.reader.post("not for the light stream");
			this.reader.get("/settings");
			assertThat(this.reader.submit("/logout").status()).isEqualTo(303);
			light.awaitEnd();
			assertThat(light.events("post")).isEmpty();
			assertThat(this.reader.get("/live/notifications").status()).isEqualTo(401);
		}
	}

	@Test
	void aStormMakesFewEntriesAndTheLastNumberIsRight() {
		int storm = 300;
		NotificationWriter writer = this.site.bean(NotificationWriter.class);
		String actor = this.friend.id().substring(0, 9);
		try (EventStream home = this.reader.open("/live/home")) {
			home.await((event) -> event.name().equals("position"));
			long begun = System.nanoTime();
			Flux.range(0, storm)
				.flatMap((i) -> writer.add(this.reader.id(),
						new Notification(NotificationType.FOLLOW, actor + "%04d".formatted(i), ""), 1000 + i))
				.then()
				.block(SOON);
			home.await((event) -> event.data().equals("{\"unread\":" + storm + "}"));
			long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
			assertThat(home.events("notify")).hasSizeLessThanOrEqualTo((int) seconds + 2);
		}
	}

}
