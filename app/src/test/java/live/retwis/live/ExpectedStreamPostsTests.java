package live.retwis.live;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.Viewer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the log says that a stream had to bring, beside what the stream brings. */
class ExpectedStreamPostsTests {

	private final Site site = Site.shared();

	private final ExpectedStreamPosts ledger = this.site.bean(ExpectedStreamPosts.class);

	private final Visitor reader = Visitor.registered(this.site);

	private final Visitor followed = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	ExpectedStreamPostsTests() {
		this.reader.follow(this.followed);
		awaitEntry(LogEntry.Type.FOLLOW);
	}

	/** The form does not wait for its entry. */
	private void awaitEntry(LogEntry.Type type) {
		Awaitility.await(type + " in the log")
			.until(() -> this.site.bean(CommitLog.class)
				.between("-", "+")
				.any((entry) -> entry.type() == type && entry.user().equals(this.reader.id()))
				.block());
	}

	@Test
	void aHomeStreamHasToBringWhatTheReaderAndThoseFollowedHavePosted() {
		Window window = new Window("/live/home");
		String own = this.reader.post("own");
		this.other.post("of nobody here");
		String wanted = this.followed.post("wanted");
		assertThat(window.close(wanted))
			.isEqualTo(new ExpectedStreamPosts.Posts(List.of(own, wanted), List.of(), true, false));
	}

	@Test
	void whatWasDeletedOrWhoseAuthorWasFollowedMeanwhileIsLeftOpen() {
		Window window = new Window("/live/home");
		String deleted = this.followed.post("deleted soon");
		this.followed.submit("/posts/" + deleted + "/delete");
		String early = this.other.post("before the follow");
		this.reader.follow(this.other);
		String late = this.other.post("after the follow");
		ExpectedStreamPosts.Posts posts = window.close(late);
		assertThat(posts.expected()).isEmpty();
		assertThat(posts.possible()).containsExactly(deleted, early, late);
	}

	@Test
	void whatTheViewerHasHiddenNeedNotCome() {
		this.reader.get("/@" + this.other.name());
		this.reader.submit("/@" + this.other.name() + "/mute");
		awaitEntry(LogEntry.Type.MUTE);
		Window window = new Window("/live/public");
		String muted = this.other.post("muted");
		String seen = this.followed.post("seen");
		assertThat(window.close(seen).expected()).contains(seen).doesNotContain(muted);
	}

	@Test
	void aTagAProfileAndAConversationHaveTheirOwnPosts() {
		String tag = "t" + this.reader.id();
		String parent = this.other.post("parent");
		Window tagged = new Window("/live/tags/" + tag);
		Window profile = new Window("/live/@" + this.followed.name());
		Window conversation = new Window("/live/posts/" + parent);
		String one = this.followed.post("about #" + tag);
		String reply = this.reader.postJson("body", "an answer", "once", Visitor.freshName(), "reply_to", parent)
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
		assertThat(tagged.close(one).expected()).containsExactly(one);
		assertThat(profile.close(one).expected()).containsExactly(one);
		assertThat(conversation.close(reply).expected()).containsExactly(reply);
	}

	@Test
	void aPositionThatTheLogDoesNotHaveIsTold() {
		LogPosition foreign = new LogPosition(1, 1, "none");
		assertThat(this.ledger.between("/live/public", Optional.empty(), foreign, foreign).block()).isNotNull()
			.extracting(ExpectedStreamPosts.Posts::cut)
			.isEqualTo(true);
	}

	@Test
	void onlyStreamsOfPostsHaveALedgerAndAHomeOnlyForItsUser() {
		LogPosition any = new LogPosition(1, 1, "none");
		for (String stream : List.of("/live/home", "/live/lab", "/live/notifications", "/live/@nobody_here", "", "x",
				"/live/tags/%zz")) {
			assertThat(this.ledger.between(stream, Optional.empty(), any, any).block()).as(stream).isNull();
		}
	}

	/** A stream that is read beside the log. */
	private final class Window {

		private final String path;

		private final EventStream stream;

		private final LogPosition begin;

		Window(String path) {
			this.path = path;
			this.begin = Objects
				.requireNonNull(ExpectedStreamPostsTests.this.site.bean(CommitLog.class).head().block());
			this.stream = ExpectedStreamPostsTests.this.reader.open(path + "?after=" + this.begin);
		}

		/**
		 * Waits for the post, and asks the log up to there. Of an expected post the
		 * stream must have brought the article.
		 */
		ExpectedStreamPosts.Posts close(String lastPost) {
			try (this.stream) {
				LogPosition end = LogPosition.parse(this.stream.awaitPost("post-" + lastPost).id()).orElseThrow();
				ExpectedStreamPosts.Posts posts = ExpectedStreamPostsTests.this.ledger
					.between(this.path, Optional.of(viewer()), this.begin, end)
					.block();
				assertThat(posts).isNotNull();
				assertThat(posts.expected()).allSatisfy((id) -> assertThat(this.stream.events("post"))
					.anyMatch((event) -> event.data().contains("post-" + id)));
				return posts;
			}
		}

		private Viewer viewer() {
			Visitor reader = ExpectedStreamPostsTests.this.reader;
			return new Viewer(reader.id(), reader.name());
		}

	}

}
