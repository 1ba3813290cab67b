package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.live.LiveProperties;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.web.HeartbeatProperties;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.StepVerifier;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What open pages receive about a run.
 */
class LabFeedTests {

	private static final String RUN = "0AAAAAAAAAAAA";

	private final LabFeed feed = feed(Duration.ofSeconds(15));

	private static LabFeed feed(Duration heartbeat) {
		return new LabFeed(new LiveProperties(8, DataSize.ofMegabytes(1), Duration.ofMinutes(45), Duration.ZERO,
				LiveProperties.Writer.SHARED), new HeartbeatProperties(heartbeat));
	}

	private static RunSummary head(String id) {
		return new RunSummary(id, 1, "8a", "held", List.of("raw"), 5, 1000, 100, 1, 1, List.of(), Map.of(), "");
	}

	private static HistoryEvent event(long at) {
		return new HistoryEvent(at, HistoryEvent.Kind.STEP, "", "x".repeat(1000), 0, Map.of());
	}

	/** What a page that opens now receives at once. */
	private String opened(String... asked) {
		StringBuilder frames = new StringBuilder();
		this.feed.stream(List.of(asked).stream().findFirst())
			.subscribe((frame) -> frames.append(new String(frame, StandardCharsets.UTF_8)))
			.dispose();
		return frames.toString();
	}

	private static List<String> names(String frames) {
		return Pattern.compile("(?m)^event: (.*)$").matcher(frames).results().map((found) -> found.group(1)).toList();
	}

	private static String ids(String frames) {
		return Pattern.compile("(?m)^id: .*-(\\d+)$")
			.matcher(frames)
			.results()
			.map((found) -> found.group(1))
			.collect(Collectors.joining(" "));
	}

	@Test
	void aPageThatOpensBeforeTheFirstRunLearnsThatNothingIsPlayed() {
		String frames = opened();
		assertThat(frames).matches("(?s)retry: \\d{3,4}\nid: 0-0\nevent: position\ndata: -\n.*")
			.contains("{\"state\":\"idle\",\"run\":null,\"texts\":{}}");
		assertThat(names(frames)).containsExactly("position", "run");
	}

	@Test
	void aPageThatOpensLateReceivesAllEarlierEvents() {
		this.feed.begin(head(RUN));
		this.feed.round("header");
		this.feed.happened(event(1));
		this.feed.happened(event(2));
		this.feed.tell("judged", "verdict");
		String frames = opened();
		assertThat(names(frames)).containsExactly("position", "run", "round", "events", "judged");
		assertThat(ids(frames)).isEqualTo("0 1 2 3 4");
		assertThat(frames).contains("id: " + RUN + "-4\nevent: judged\ndata: \"verdict\"\n\n")
			.contains("\"at\":1,")
			.contains("\"at\":2,");
	}

	@Test
	void aPageThatReconnectsContinuesWhereItWas() {
		this.feed.begin(head(RUN));
		this.feed.round("header");
		this.feed.tell("judged", "verdict");
		String frames = opened(RUN + "-2");
		assertThat(names(frames)).containsExactly("position", "judged");
		assertThat(ids(frames)).isEqualTo("2 3");
		assertThat(names(opened(RUN + "-3"))).containsExactly("position");
	}

	@Test
	void anUnknownEventIdIsAnsweredWithAResetAndTheState() {
		this.feed.begin(head("0BBBBBBBBBBBB"));
		this.feed.begin(head(RUN));
		this.feed.round("header");
		for (String place : List.of("0BBBBBBBBBBBB-1", RUN + "-99", "nonsense", "-")) {
			assertThat(names(opened(place))).as(place).containsExactly("position", "reset", "run", "round");
		}
	}

	@Test
	void keptEventsAreBoundedAndAlwaysBeginWithRunAndRound() {
		this.feed.begin(head(RUN));
		this.feed.round("header");
		for (int i = 0; i < 1000; i++) {
			this.feed.happened(event(i));
			this.feed.tick();
		}
		String frames = opened();
		assertThat(frames.length()).isLessThan(600 * 1024);
		assertThat(names(frames).subList(0, 4)).containsExactly("position", "run", "round", "events");
		assertThat(names(opened(RUN + "-5")).subList(0, 4)).containsExactly("position", "reset", "run", "round");
		assertThat(names(opened(RUN + "-1001"))).containsExactly("position", "events");
	}

	@Test
	void pagesShareWhatIsKept() {
		this.feed.begin(head(RUN));
		this.feed.tell("judged", "verdict");
		List<byte[]> one = new ArrayList<>();
		List<byte[]> other = new ArrayList<>();
		this.feed.stream(Optional.empty()).subscribe(one::add);
		this.feed.stream(Optional.empty()).subscribe(other::add);
		assertThat(one).hasSize(3);
		assertThat(one.get(2)).isSameAs(other.get(2));
	}

	@Test
	void eventsOfOneTickAreSentInOneMessage() {
		this.feed.begin(head(RUN));
		List<String> seen = new ArrayList<>();
		this.feed.stream(Optional.empty()).subscribe((frame) -> seen.add(new String(frame, StandardCharsets.UTF_8)));
		this.feed.happened(event(1));
		this.feed.happened(event(2));
		seen.clear();
		this.feed.tick();
		this.feed.tick();
		assertThat(seen).hasSize(1);
		assertThat(seen.get(0)).contains("event: events\n").contains("\"at\":1,").contains("\"at\":2,");
	}

	@Test
	void aQuietStreamSendsItsPositionAsAHeartbeat() {
		LabFeed quiet = feed(Duration.ZERO);
		quiet.begin(head(RUN));
		StepVerifier.create(quiet.stream(Optional.empty()).map((frame) -> new String(frame, StandardCharsets.UTF_8)))
			.expectNextCount(2)
			.then(quiet::tick)
			.expectNext("id: " + RUN + "-1\nevent: position\ndata: -\n\n")
			.thenCancel()
			.verify(Duration.ofSeconds(5));
		assertThat(quiet.watchers()).isZero();
	}

	@Test
	void aPageThatDoesNotReadIsCutOffAndOtherPagesAreNot() {
		this.feed.begin(head(RUN));
		Unread slow = new Unread();
		List<byte[]> seen = new ArrayList<>();
		this.feed.stream(Optional.empty()).subscribe(slow);
		this.feed.stream(Optional.empty()).subscribe(seen::add);
		assertThat(this.feed.watchers()).isEqualTo(2);
		seen.clear();
		for (int i = 0; i < 20; i++) {
			this.feed.tell("judged", i);
		}
		assertThat(slow.isOver()).isTrue();
		assertThat(seen).hasSize(20);
		assertThat(this.feed.watchers()).isOne();
	}

	@Test
	void aStoppingInstanceEndsItsStreamsAndAcceptsNoNewOnes() {
		List<String> seen = new ArrayList<>();
		this.feed.stream(Optional.empty()).subscribe((frame) -> seen.add(new String(frame, StandardCharsets.UTF_8)));
		seen.clear();
		this.feed.close();
		assertThat(seen).hasSize(1);
		assertThat(seen.get(0)).matches("retry: \\d{3,4}\n\n");
		assertThat(opened()).matches("retry: \\d{3,4}\n\n");
		assertThat(this.feed.watchers()).isZero();
	}

	/** Reads the first frame and nothing after it. */
	private static final class Unread extends BaseSubscriber<byte[]> {

		private volatile boolean over;

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request(1);
		}

		@Override
		protected void hookOnNext(byte[] frame) {
			// Nothing to do: this page is asleep.
		}

		@Override
		protected void hookOnComplete() {
			this.over = true;
		}

		boolean isOver() {
			return this.over;
		}

	}

}
