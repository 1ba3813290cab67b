package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The light stream of a page without a live list. */
class PlainPageStreamTests {

	private static final Duration SOON = Duration.ofSeconds(15);

	private final Site site = Site.shared();

	private final Visitor reader = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private static void press(Visitor visitor, String post, String action) {
		visitor.get("/posts/" + post);
		assertThat(visitor.submit("/posts/" + post + "/" + action).status()).isEqualTo(303);
	}

	@Test
	void aPageWithoutALiveListIsToldTheCountsOfItsPosts() {
		String shown = this.friend.post("on the page");
		String other = this.friend.post("on another page");
		String stream = "/live/notifications?posts=" + shown + ",nonsense";
		try (EventStream light = this.reader.open(stream); EventStream signedOut = Visitor.of(this.site).open(stream)) {
			List.of(light, signedOut).forEach((one) -> one.await((event) -> event.name().equals("position")));
			press(this.friend, other, "like");
			press(this.friend, shown, "like");
			this.friend.post("hello @" + this.reader.name());
			light.await((event) -> event.name().equals("notify"));
			press(this.friend, shown, "unlike");
			for (EventStream one : List.of(light, signedOut)) {
				one.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":0"));
				assertThat(one.events("counts")).noneMatch((event) -> event.data().contains(other));
				assertThat(one.events("post")).isEmpty();
			}
			assertThat(signedOut.events("notify")).isEmpty();
		}
	}

	@Test
	void whatHappensBetweenAPageWithoutALiveListAndItsStreamReachesThePage() {
		String liked = this.friend.post("on the page");
		String deleted = this.friend.post("soon gone");
		IntStream.range(0, 19).forEach((i) -> this.reader.post("above them on the home page"));
		this.reader.follow(this.friend);
		Visitor stranger = Visitor.of(this.site);
		List<String> positions = Stream
			.concat(Stream.of("/mentions", "/bookmarks", "/search", "/settings", "/posts/" + liked + "/likes", older())
				.map(this.reader::get), Stream.of(stranger.get("/posts/" + liked + "/likes")))
			.map((page) -> page.find("data-position=\"([^\"]+)\""))
			.toList();
		press(this.friend, liked, "like");
		press(this.friend, deleted, "delete");
		for (String position : positions) {
			String stream = "/live/notifications?after=" + position + "&posts=" + liked;
			for (Visitor visitor : List.of(this.reader, stranger)) {
				try (EventStream light = visitor.open(stream)) {
					light.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":1"));
					light.await((event) -> event.name().equals("delete") && event.data().equals(deleted));
					assertThat(light.events("reset")).isEmpty();
				}
			}
		}
	}

	/** The address of the second page of the reader's home timeline. */
	private String older() {
		Awaitility.await().atMost(SOON).until(() -> !this.reader.get("/home").older().isEmpty());
		return this.reader.get("/home").older();
	}

}
