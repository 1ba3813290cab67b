package live.retwis.live;

import java.time.Duration;

import live.retwis.account.AccountSuspension;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GoneAuthorsReplayTests {

	private static final Duration SOON = Duration.ofSeconds(15);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	private final Visitor reader = Visitor.of(this.site);

	private static EventStream.Event position(EventStream stream) {
		return stream.await((event) -> event.name().equals("position"));
	}

	private void repost(String post) {
		this.other.get("/posts/" + post);
		assertThat(this.other.submit("/posts/" + post + "/repost").status()).isEqualTo(303);
	}

	/** Somebody else had reposted the post. */
	@Test
	void aReplayHasNoPostOfASuspendedUserThatSomebodyReposted() {
		String path = "/live/@" + this.other.name();
		String text = "of a suspended user " + Visitor.freshName();
		String before;
		try (EventStream live = this.reader.open(path)) {
			before = position(live).id();
			repost(this.author.post(text));
			live.awaitPost(text);
			this.site.bean(AccountSuspension.class).set(this.author.id(), true).block(SOON);
			live.await((event) -> event.name().equals("gone"));
		}
		try (EventStream replay = this.reader.open(path + "?after=" + before)) {
			replay.await((event) -> event.name().equals("gone"));
			assertThat(replay.events()).noneMatch((event) -> event.data().contains(text));
		}
	}

	@Test
	void aReplayHasNoProfileOfADeletedAccount() {
		String bio = "lives at " + Visitor.freshName();
		String before;
		String id = this.author.id();
		try (EventStream live = this.reader.open("/live/public")) {
			before = position(live).id();
			this.author.get("/settings");
			this.author.submit("/settings/profile", "name", "Me", "bio", bio);
			live.await((event) -> event.name().equals("profile") && event.data().contains(bio));
			this.author.get("/settings");
			this.author.submit("/settings/delete", "password", Visitor.PASSWORD);
			live.await((event) -> event.name().equals("gone") && event.data().equals(id));
		}
		try (EventStream replay = this.reader.open("/live/public?after=" + before)) {
			replay.await((event) -> event.name().equals("gone") && event.data().equals(id));
			assertThat(replay.events()).noneMatch((event) -> event.data().contains(bio));
		}
	}

}
