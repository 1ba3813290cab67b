package live.retwis.live;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How far back a stream can go.
 */
class ReplayBoundTests {

	private static final int REPLAY = 50;

	@Test
	void whatIsOlderThanTheEntriesKeptIsAnsweredWithReset() {
		try (Site site = small(); Site later = small()) {
			Visitor alice = Visitor.registered(site);
			String tooOld = alice.get("/home").live();
			List<String> posts = new ArrayList<>();
			String tenth;
			try (EventStream stream = alice.open(tooOld)) {
				for (int i = 0; i < REPLAY + 5; i++) {
					posts.add(alice.post("post " + i));
				}
				stream.awaitPost(posts.get(REPLAY + 4));
				tenth = stream.events("post").get(9).id();
			}
			for (Site one : List.of(site, later)) {
				try (EventStream stream = EventStreams.open(one, tooOld, alice)) {
					Event first = stream.await((event) -> true);
					assertThat(first).isEqualTo(new Event(first.id(), "reset", "{\"missed\":null}"));
				}
				try (EventStream stream = EventStreams.open(one, "/live/home?after=" + tenth, alice)) {
					stream.awaitPost(posts.get(REPLAY + 4));
					assertThat(EventStreams.postIds(stream.events())).isEqualTo(posts.subList(10, REPLAY + 5));
				}
			}
		}
	}

	@Test
	void anInstanceStartedLaterKnowsTheSameBound() {
		try (Site site = small()) {
			Visitor alice = Visitor.registered(site);
			String tooOld = alice.get("/home").live();
			for (int i = 0; i < REPLAY; i++) {
				alice.post("post " + i);
			}
			alice.post("the last one");
			try (Site later = small()) {
				try (EventStream stream = EventStreams.open(later, tooOld, alice)) {
					assertThat(stream.await((event) -> true).name()).isEqualTo("reset");
				}
				String page = alice.get("/@" + alice.name()).live();
				try (EventStream stream = EventStreams.open(later, page, alice)) {
					stream.awaitPost(alice.post("while it runs"));
					assertThat(EventStreams.postIds(stream.events())).doesNotHaveDuplicates();
					assertThat(stream.events("reset")).isEmpty();
				}
			}
		}
	}

	private static Site small() {
		return Site.start(RedisExtension.shared(), "--retwis.live.replay=" + REPLAY);
	}

}
