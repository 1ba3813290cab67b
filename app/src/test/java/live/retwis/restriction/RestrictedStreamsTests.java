package live.retwis.restriction;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which posts reach the streams of a viewer who has muted or blocked their author. To see
 * that a post does not come, a test waits for a later one.
 */
class RestrictedStreamsTests {

	private final Site site = Site.shared();

	private final Site second = Site.another();

	private final Visitor viewer = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private final String tag = "t" + this.other.name().replace("_", "");

	private final String own = this.viewer.post("my own #" + this.tag);

	private final List<EventStream> open = new ArrayList<>();

	RestrictedStreamsTests() {
		this.viewer.follow(this.other);
		this.viewer.follow(this.friend);
	}

	@AfterEach
	void close() {
		this.open.forEach(EventStream::close);
		this.second.close();
	}

	private EventStream open(Visitor visitor, String path) {
		EventStream stream = visitor.open(path);
		this.open.add(stream);
		stream.await((event) -> event.name().equals("position"));
		return stream;
	}

	/** All streams on which a reply to the viewer's post comes, on both instances. */
	private List<EventStream> streams(String query) {
		return List.of(this.viewer, this.viewer.sentTo(this.second.url("")))
			.stream()
			.flatMap((where) -> List
				.of("/live/home", "/live/public", "/live/tags/" + this.tag, "/live/posts/" + this.own)
				.stream()
				.map((path) -> open(where, path + query)))
			.toList();
	}

	/** Replies to the viewer's post, with the tag. */
	private void reply(Visitor visitor, String text) {
		visitor.get("/home");
		assertThat(visitor
			.postJson("body", text + " #" + this.tag, "once", UUID.randomUUID().toString(), "reply_to", this.own)
			.status()).isEqualTo(201);
	}

	private static void assertWithout(EventStream stream, String text) {
		assertThat(stream.events("post")).noneMatch((event) -> event.data().contains(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void aNewNameOrBioOfThatUserDoesNotCome(String button) {
		List<EventStream> streams = streams("");
		RestrictingVisitor.press(this.viewer, button, this.other);
		this.other.get("/settings");
		assertThat(this.other.submit("/settings/profile", "name", "not to be seen", "bio", "for you").status())
			.isEqualTo(303);
		reply(this.friend, "the marker");
		for (EventStream stream : streams) {
			stream.awaitPost("the marker");
			assertThat(stream.events("profile")).noneMatch((event) -> event.data().contains("not to be seen"));
		}
	}

	@Test
	void aMuteStopsTheirPostsOnOpenStreamsAndInReplaysUntilItIsTakenBack() {
		EventStream everyone = open(Visitor.of(this.site), "/live/public");
		List<EventStream> streams = streams("");
		String begin = everyone.lastEventId();
		reply(this.other, "before the mute");
		streams.forEach((stream) -> stream.awaitPost("before the mute"));
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		reply(this.other, "not to be seen");
		reply(this.friend, "the marker");
		for (EventStream stream : streams) {
			stream.awaitPost("the marker");
			assertWithout(stream, "not to be seen");
		}
		everyone.awaitPost("not to be seen");
		for (EventStream replay : streams("?after=" + begin)) {
			replay.awaitPost("the marker");
			assertWithout(replay, "not to be seen");
			assertWithout(replay, "before the mute");
		}
		RestrictingVisitor.press(this.viewer, "unmute", this.other);
		reply(this.other, "seen again");
		streams.forEach((stream) -> stream.awaitPost("seen again"));
		streams("?after=" + begin).forEach((replay) -> replay.awaitPost("before the mute"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void aRepostByAThirdUserDoesNotBringTheirPost(String button) {
		String post = this.other.post("not to be seen, even if reposted");
		RestrictingVisitor.press(this.viewer, button, this.other);
		EventStream home = open(this.viewer, "/live/home");
		EventStream elsewhere = open(this.viewer.sentTo(this.second.url("")), "/live/home");
		this.friend.get("/posts/" + post);
		assertThat(this.friend.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
		this.friend.post("the marker");
		for (EventStream stream : List.of(home, elsewhere)) {
			stream.awaitPost("the marker");
			assertWithout(stream, "not to be seen");
		}
	}

	@Test
	void aBlockedUsersStreamBringsNothingAndThatOfAMutedOneBringsTheirPosts() {
		RestrictingVisitor.press(this.viewer, "mute", this.other);
		EventStream muted = open(this.viewer, "/live/@" + this.other.name());
		this.other.post("on my own profile");
		muted.awaitPost("on my own profile");
		RestrictingVisitor.press(this.viewer, "block", this.other);
		EventStream everyone = open(this.viewer, "/live/public");
		this.other.post("not to be seen");
		this.friend.post("the marker");
		everyone.awaitPost("the marker");
		assertWithout(everyone, "not to be seen");
		assertWithout(muted, "not to be seen");
	}

}
