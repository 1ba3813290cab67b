package live.retwis.live;

import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A stream continues where its reader was.
 */
class ReplayTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	@Test
	void continuesAtThePositionOfThePage() {
		this.bob.follow(this.alice);
		this.alice.post("on the page");
		String address = this.bob.get("/home").live();
		List<String> missed = posts(3);
		try (EventStream stream = this.bob.open(address)) {
			stream.awaitPost(missed.get(2));
			missed.addAll(posts(2));
			stream.awaitPost(missed.get(4));
			assertThat(ids(stream)).filteredOn(missed::contains).containsExactlyElementsOf(missed);
			assertThat(stream.events("reset")).isEmpty();
		}
	}

	@Test
	void aStreamFromThePositionOfAPageRepeatsNoPostOfThePage() {
		String address = Visitor.of(this.site).get("/timeline").live();
		try (EventStream stream = Visitor.of(this.site).open(address)) {
			List<String> posts = posts(1);
			stream.awaitPost(posts.get(0));
			assertThat(ids(stream)).containsExactlyElementsOf(posts);
		}
	}

	/** The position in a page may be older than everything on the page. */
	@Test
	void postsOfTheNextPageAreNotReplayed() {
		String profile = "/@" + this.alice.name();
		String position = Visitor.of(this.site).get(profile).live().replaceAll(".*after=", "");
		List<String> posts = posts(30);
		String address = Visitor.of(this.site).get(profile).live();
		assertThat(address).contains("&since=");
		try (EventStream stream = Visitor.of(this.site).open(address.replaceAll("after=[^&]*", "after=" + position))) {
			stream.awaitPost(posts.get(29));
			assertThat(ids(stream)).containsSubsequence(posts.subList(10, 30))
				.doesNotContainAnyElementsOf(posts.subList(0, 8));
		}
	}

	@Test
	void theLastPageReplaysEverythingAfterItsPosition() {
		posts(3);
		assertThat(Visitor.of(this.site).get("/@" + this.alice.name()).live()).doesNotContain("since");
	}

	@Test
	void continuesAfterTheLastEventIdThatABrowserSends() {
		List<String> posts = new ArrayList<>();
		String last;
		String page = this.alice.get("/home").live();
		try (EventStream stream = this.alice.open(page)) {
			posts.addAll(posts(2));
			last = stream.awaitPost(posts.get(1)).id();
		}
		List<String> missed = posts(3);
		try (EventStream stream = this.alice.open(page, "Last-Event-ID", last)) {
			stream.awaitPost(missed.get(2));
			assertThat(ids(stream)).as("Last-Event-ID wins over after").containsExactlyElementsOf(missed);
			assertThat(stream.events().get(0)).isEqualTo(new Event(last, "position", "-"));
		}
	}

	@Test
	void anEmptyLastEventIdIsIgnored() {
		String page = this.alice.get("/home").live();
		List<String> missed = posts(1);
		try (EventStream stream = this.alice.open(page, "Last-Event-ID", "")) {
			stream.awaitPost(missed.get(0));
		}
	}

	@Test
	void continuesAtAnotherInstance() {
		Site second = SecondInstance.get();
		String page = this.alice.get("/home").live();
		List<String> missed = posts(5);
		try (EventStream stream = EventStreams.open(second, page, this.alice)) {
			stream.awaitPost(missed.get(4));
			assertThat(ids(stream)).containsExactlyElementsOf(missed);
		}
	}

	@Test
	void continuesAtAnInstanceThatWasStartedLater() {
		String page = this.alice.get("/home").live();
		List<String> missed = posts(5);
		String deleted = missed.remove(2);
		this.alice.submit("/posts/" + deleted + "/delete");
		try (Site later = Site.another();
				EventStream stream = EventStreams.open(later, page, this.alice);
				EventStream same = EventStreams.open(later, page, this.alice)) {
			stream.awaitPost(missed.get(3));
			same.awaitPost(missed.get(3));
			missed.addAll(posts(1));
			stream.awaitPost(missed.get(4));
			assertThat(ids(stream)).containsExactlyElementsOf(missed);
			assertThat(stream.events("delete")).filteredOn((event) -> event.data().equals(deleted)).hasSize(1);
		}
	}

	@Test
	void anInstanceWaitsUntilItHasReadThePosition() {
		Site second = SecondInstance.get();
		for (int i = 0; i < 20; i++) {
			String id = this.alice.post("no " + i);
			String page = this.alice.get("/@" + this.alice.name()).live();
			try (EventStream stream = EventStreams.open(second, page, this.alice)) {
				assertThat(stream.await((event) -> true).name()).as("right after post %s", id).isEqualTo("position");
			}
		}
	}

	@Test
	void theTextOfADeletedPostIsNotReplayed() {
		String page = this.alice.get("/home").live();
		String id = this.alice.post("a secret");
		try (EventStream stream = this.alice.open(page)) {
			this.alice.submit("/posts/" + id + "/delete");
			this.alice.post("the end");
			// On a cluster an instance may receive the announcement of an entry after the
			// answer to its request.
			stream.awaitPost("the end");
		}
		try (EventStream stream = this.alice.open(page)) {
			stream.awaitPost("the end");
			assertThat(stream.events()).extracting(Event::data).noneMatch((data) -> data.contains("a secret"));
			assertThat(stream.events("delete")).extracting(Event::data).containsExactly(id);
		}
	}

	@Test
	void aHomeStreamReplaysPostsOfTheAuthorsFollowedNow() {
		Visitor carol = Visitor.registered(this.site);
		this.bob.follow(carol);
		String page = this.bob.get("/home").live();
		this.alice.post("from Alice");
		carol.post("from Carol");
		this.bob.follow(this.alice);
		this.bob.get("/@" + carol.name());
		this.bob.submit("/@" + carol.name() + "/unfollow");
		this.bob.post("the end");
		try (EventStream stream = this.bob.open(page)) {
			stream.awaitPost("the end");
			assertThat(stream.events("post")).extracting(Event::data)
				.anyMatch((data) -> data.contains("from Alice"))
				.noneMatch((data) -> data.contains("from Carol"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "0-0.x", "1-1.abc", "99999999999999-0.abcdefgh", "%NONCE%", "-", "%00", "1-1",
			"999999999999999-999999999999999.a", "<script>", "..%2f" })
	void anUnknownPositionIsAnsweredWithResetAndThenNewEvents(String position) {
		String id = this.alice.post("before");
		String newest;
		try (EventStream stream = this.alice.open("/live/home")) {
			newest = stream.await((event) -> true).id();
		}
		String asked = position.replace("%NONCE%", newest.substring(0, newest.indexOf('.')) + ".another1");
		try (EventStream stream = this.alice
			.open("/live/home?after=" + asked.replace("<", "%3C").replace(">", "%3E"))) {
			Event first = stream.await((event) -> true);
			assertThat(first).isEqualTo(new Event(first.id(), "reset", "{\"missed\":null}"));
			String next = this.alice.post("after");
			stream.awaitPost(next);
			assertThat(ids(stream)).containsExactly(next).doesNotContain(id);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "0-0.x", "1-1.abc", "99999999999999-0.abcdefgh", "%NONCE%", "-", "<script>" })
	void anUnknownLastEventIdIsAnsweredWithResetWhateverTheAddressSays(String id) {
		String page = this.alice.get("/home").live();
		this.alice.post("before");
		String newest;
		try (EventStream stream = this.alice.open("/live/home")) {
			newest = stream.await((event) -> true).id();
		}
		String asked = id.replace("%NONCE%", newest.substring(0, newest.indexOf('.')) + ".another1");
		for (String path : List.of("/live/home", page)) {
			try (EventStream stream = this.alice.open(path, "Last-Event-ID", asked)) {
				Event first = stream.await((event) -> true);
				assertThat(first).isEqualTo(new Event(first.id(), "reset", "{\"missed\":null}"));
				String next = this.alice.post("after");
				stream.awaitPost(next);
				assertThat(ids(stream)).containsExactly(next);
			}
		}
	}

	@Test
	void anIdOfAnotherStreamIsAPositionInTheSameLog() {
		String page = this.alice.get("/home").live();
		String known = this.alice.post("before");
		String id;
		try (EventStream everyone = this.bob.open("/live/public?after=" + page.replaceFirst(".*after=", ""))) {
			everyone.awaitPost(known);
			id = everyone.awaitPost(this.bob.post("not for Alice")).id();
		}
		List<String> missed = posts(2);
		for (String path : List.of("/live/home", page, "/live/@" + this.alice.name())) {
			try (EventStream stream = this.alice.open(path, "Last-Event-ID", id)) {
				stream.awaitPost(missed.get(1));
				assertThat(ids(stream)).as(path).isEqualTo(missed);
				assertThat(stream.events("reset")).isEmpty();
			}
		}
		try (EventStream stream = this.alice.open("/live/home?after=" + id)) {
			stream.awaitPost(missed.get(1));
			assertThat(ids(stream)).isEqualTo(missed);
		}
	}

	private List<String> posts(int count) {
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(this.alice.post("post " + i));
		}
		return ids;
	}

	private static List<String> ids(EventStream stream) {
		return EventStreams.postIds(stream.events());
	}

}
