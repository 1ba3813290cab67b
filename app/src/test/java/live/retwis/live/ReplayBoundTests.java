package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import live.retwis.fanout.FanOutQueue;
import live.retwis.log.LogRetentionProperties;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How far back a stream can be resumed.
 */
class ReplayBoundTests {

	private static final Logger log = LoggerFactory.getLogger(ReplayBoundTests.class);

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final int REPLAY = 50;

	private static final int HOMES = 16;

	@Test
	@Tag("slow")
	@Tag("long")
	void aPositionBeforeTheKeptEntriesIsAnsweredWithReset() {
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
	@Tag("slow")
	@Tag("long")
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

	@Test
	@Tag("slow")
	@Tag("long")
	void manyFollowsAndUnfollowsDoNotShortenTheReplayOfOthers() {
		try (Site site = small()) {
			Visitor alice = Visitor.registered(site);
			Visitor stranger = Visitor.registered(site);
			String page = alice.get("/home").live();
			String missed = alice.post("missed");
			for (int i = 0; i < REPLAY; i++) {
				stranger.follow(alice);
				stranger.submit("/@" + alice.name() + "/unfollow");
			}
			FanOutWait.settle(site);
			LogRetentionProperties kept = site.bean(LogRetentionProperties.class);
			site.bean(FanOutQueue.class).trim(kept.replay(), kept.logEntries()).block(BOUND);
			try (Site later = small()) {
				for (Site one : List.of(site, later)) {
					try (EventStream stream = EventStreams.open(one, page, alice)) {
						stream.awaitPost(missed);
						assertThat(stream.events("reset")).isEmpty();
					}
				}
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aQuietHomeStreamCanResumeAfterTwiceAsManyEntriesAsAreKept() {
		long seed = System.nanoTime();
		log.info("Seed {}", seed);
		Random random = new Random(seed);
		try (Site first = small(); Site second = small()) {
			Visitor alice = Visitor.registered(first);
			Visitor stranger = Visitor.registered(first);
			String nothing = alice.get("/home").live();
			List<EventStream> homes = new ArrayList<>();
			for (int i = 0; i < HOMES; i++) {
				homes.add(EventStreams.open((i % 2 == 0) ? first : second, nothing, alice));
			}
			for (int i = 0; i < 2 * REPLAY; i++) {
				stranger.post("not for Alice");
				int number = random.nextInt(HOMES);
				homes.set(number, continuedAt(homes.get(number), random.nextBoolean() ? first : second, alice));
			}
			homes.replaceAll((home) -> continuedAt(home, random.nextBoolean() ? first : second, alice));
			String post = alice.post("for Alice");
			homes.forEach((home) -> {
				home.awaitPost(post);
				assertThat(home.events("reset")).isEmpty();
				home.close();
			});
		}
	}

	/** Opens a stream at the given instance from the last position of the other one. */
	private static EventStream continuedAt(EventStream home, Site site, Visitor visitor) {
		home.await((event) -> true);
		assertThat(home.events("reset")).isEmpty();
		home.close();
		return EventStreams.open(site, "/live/home", visitor, "Last-Event-ID", home.lastEventId());
	}

	private static Site small() {
		return Site.another("--retwis.live.replay-entries=" + REPLAY);
	}

}
