package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What ends a stream.
 */
class StreamEndTests {

	@Test
	@Tag("slow")
	void aLogOutEndsTheStreamsOfTheUserOnEveryInstanceAndNoOtherStream() {
		Site first = Site.shared();
		Site second = SecondInstance.get();
		Visitor alice = Visitor.registered(first);
		Visitor bob = Visitor.registered(first);
		try (EventStream here = alice.open("/live/home");
				EventStream there = EventStreams.open(second, "/live/home", alice);
				EventStream herPublic = alice.open("/live/public");
				EventStream everyone = bob.open("/live/public");
				EventStream profile = EventStreams.open(second, "/live/@" + alice.name(), bob);
				EventStream bobsHome = bob.open("/live/home")) {
			String id = alice.post("the last one");
			here.awaitPost(id);
			there.awaitPost(id);
			assertThat(alice.submit("/logout").status()).isEqualTo(303);
			here.awaitEnd();
			there.awaitEnd();
			herPublic.awaitEnd();
			assertThat(alice.get("/live/home").status()).as("an EventSource does not try again").isEqualTo(401);
			String later = bob.post("later");
			bobsHome.awaitPost(later);
			everyone.awaitPost(later);
			profile.awaitPost(id);
			Stream.of(everyone, profile, bobsHome).forEach((stream) -> assertThat(stream.isEnded()).isFalse());
		}
	}

	@Test
	@Tag("slow")
	void aStoppingInstanceEndsItsStreamsWithDifferentRetryDelays() {
		Visitor alice;
		List<EventStream> streams = new ArrayList<>();
		long started;
		try (Site site = Site.another()) {
			alice = Visitor.registered(site);
			for (int i = 0; i < 10; i++) {
				streams.add(alice.open((i % 2 == 0) ? "/live/public" : "/live/home"));
			}
			String id = alice.post("before the stop");
			streams.forEach((stream) -> stream.awaitPost(id));
			started = System.nanoTime();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
		streams.forEach(EventStream::awaitEnd);
		assertThat(streams).extracting((stream) -> Integer.valueOf(stream.retry()))
			.allSatisfy((retry) -> assertThat(retry).isBetween(500, 5000));
		// The delays are random. Two may be equal, but not half of them.
		assertThat(streams.stream().map(EventStream::retry).distinct()).as("not all at once").hasSizeGreaterThan(5);
		Visitor bob = Visitor.registered(Site.shared());
		bob.get("/@" + alice.name());
		String missed = bob.post("while the reader was away");
		try (EventStream resumed = EventStreams.open(Site.shared(), "/live/public", alice, "Last-Event-ID",
				streams.get(0).lastEventId())) {
			resumed.awaitPost(missed);
			assertThat(resumed.events("reset")).isEmpty();
		}
	}

	@Test
	void aStoppingInstanceAcceptsNoNewStreams() {
		try (Site site = Site.another()) {
			Visitor alice = Visitor.registered(site);
			site.bean(LiveFeed.class).stop();
			for (String path : List.of("/live/public", "/live/home", "/live/@" + alice.name())) {
				try (EventStream stream = alice.open(path)) {
					assertThat(stream.status()).isEqualTo(200);
					stream.awaitEnd();
					assertThat(stream.events()).isEmpty();
					assertThat(Integer.valueOf(stream.retry())).isBetween(500, 5000);
				}
			}
		}
	}

}
