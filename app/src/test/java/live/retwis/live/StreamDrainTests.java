package live.retwis.live;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance is asked to stop while users read and post.
 */
class StreamDrainTests {

	private static final int STREAMS = 12;

	private static final Duration END = Duration.ofSeconds(20);

	/** Twice the default, because the test checks several things during this time. */
	private static final Duration NOTICE = Duration.ofSeconds(4);

	private final Site other = Site.shared();

	private final Visitor author = Visitor.registered(this.other);

	@Test
	@Tag("slow")
	@Tag("long")
	void aStoppingInstanceServesUntilItsBalancerHasNoticedAndThenEndsItsStreamsWithoutLoss() {
		try (SiteProcess ending = SiteProcess
			.launch(SharedData.settings(), LockServers.shared().setting(), "--retwis.live.drain=" + NOTICE)
			.ready()) {
			List<EventStream> streams = IntStream.range(0, STREAMS).mapToObj((i) -> open(ending)).toList();
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			List<String> posted = new CopyOnWriteArrayList<>();
			Visitor poster = Visitor.signedIn(ending.origin(), this.author.name());
			CompletableFuture<Void> posting = CompletableFuture.runAsync(() -> postUntilRefused(poster, posted));
			Visitor operator = ending.operator();
			assertThat(operator.get("/actuator/health/readiness").status()).isEqualTo(200);

			long asked = System.nanoTime();
			ending.terminate();
			Awaitility.await("readiness off")
				.atMost(NOTICE)
				.until(() -> operator.get("/actuator/health/readiness").status() == 503);
			Answer page = Visitor.at(ending.origin()).get("/timeline");
			assertThat(page.status()).isEqualTo(200);
			assertThat(page.header("Connection")).isEqualTo("close");
			comesTooLate(ending);
			assertThat(streams).as("still served").noneMatch(EventStream::isEnded);
			assertThat(Duration.ofNanos(System.nanoTime() - asked)).as("seen before the notice was over")
				.isLessThan(NOTICE);

			streams.forEach(EventStream::awaitEnd);
			ending.awaitEnd(END.minusNanos(System.nanoTime() - asked));
			posting.join();
			assertThat(streams).extracting((stream) -> Integer.valueOf(stream.retry()))
				.allSatisfy((retry) -> assertThat(retry).isBetween(500, 5000));
			assertThat(streams.stream().map(EventStream::retry).distinct()).as("not all at once")
				.hasSizeGreaterThan(STREAMS / 2);
			assertThat(streams.stream().mapToInt((stream) -> stream.events().size()).distinct())
				.as("one after the other while posts came in")
				.hasSizeGreaterThan(2);
			streams.forEach((stream) -> continuesElsewhere(stream, posted));
		}
	}

	private EventStream open(SiteProcess site) {
		return Visitor.at(site.origin()).open("/live/@" + this.author.name());
	}

	private static void postUntilRefused(Visitor poster, List<String> posted) {
		try {
			while (true) {
				posted.add(poster.post("post " + posted.size()));
			}
		}
		catch (UncheckedIOException ex) {
			// Refused connections are expected: the instance is stopping.
		}
	}

	private void comesTooLate(SiteProcess ending) {
		try (EventStream stream = open(ending)) {
			assertThat(stream.status()).isEqualTo(200);
			stream.awaitEnd();
			assertThat(stream.events()).isEmpty();
			assertThat(Integer.valueOf(stream.retry())).isBetween(500, 5000);
		}
	}

	private void continuesElsewhere(EventStream ended, List<String> posted) {
		try (EventStream rest = EventStreams.open(this.other, "/live/@" + this.author.name(), this.author,
				"Last-Event-ID", ended.lastEventId())) {
			rest.await((event) -> event.name().equals("position"));
			List<Event> events = new ArrayList<>(ended.events());
			Awaitility.await()
				.atMost(END)
				.until(() -> EventStreams.postIds(events).size() + rest.events("post").size() >= posted.size());
			events.addAll(rest.events());
			List<String> seen = EventStreams.postIds(events);
			assertThat(rest.events("reset")).isEmpty();
			assertThat(seen).doesNotHaveDuplicates().containsSubsequence(posted);
		}
	}

}
