package live.retwis.live;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a stream begins.
 */
class StreamOpeningTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	@ParameterizedTest
	@ValueSource(strings = { "/live/public", "/live/home", "/live/@%s" })
	void beginsAtOnceWithRetryAndAPosition(String path) {
		try (EventStream stream = this.alice.open(path.formatted(this.alice.name()))) {
			Event first = stream.await((event) -> true);
			assertThat(first.name()).isEqualTo("position");
			assertThat(first.data()).isEqualTo("-");
			assertThat(first.id()).matches("\\d+-\\d+\\.[A-Za-z0-9_-]+");
			assertThat(Integer.valueOf(stream.retry())).isBetween(500, 5000);
		}
	}

	/** If an instance is killed, all its streams end at the same moment. */
	@Test
	void noTwoStreamsHaveTheSameRetryDelay() {
		List<EventStream> streams = new ArrayList<>();
		try {
			for (int i = 0; i < 20; i++) {
				streams.add(this.alice.open("/live/public"));
			}
			streams.forEach((stream) -> stream.await((event) -> true));
			assertThat(streams.stream().map(EventStream::retry).distinct().count()).isGreaterThan(15);
		}
		finally {
			streams.forEach(EventStream::close);
		}
	}

	@Test
	void itsHeadersForbidProxiesToStoreOrDelayIt() {
		try (EventStream stream = this.alice.open("/live/public")) {
			assertThat(stream.status()).isEqualTo(200);
			assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
			assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
			assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
			assertThat(stream.header("X-Instance")).isNotEmpty();
		}
	}

	@Test
	void everyEventHasItsOwnPosition() {
		try (EventStream stream = this.alice.open(this.alice.get("/home").live())) {
			String post = this.alice.post("one");
			stream.awaitPost("one");
			this.alice.submit("/posts/" + post + "/delete");
			stream.await((event) -> event.name().equals("delete") && event.data().equals(post));
			assertThat(stream.events()).hasSizeGreaterThanOrEqualTo(3)
				.allMatch((event) -> event.id().matches("\\d+-\\d+\\.\\S+"));
			assertThat(stream.events("post")).extracting(Event::id)
				.doesNotContainAnyElementsOf(stream.events("delete").stream().map(Event::id).toList());
		}
	}

	@Test
	void aHomeStreamIsOnlyForItsUser() {
		assertThat(Visitor.of(this.site).get("/live/home").status()).isEqualTo(401);
		assertThat(Visitor.of(this.site).get("/live/home", "Cookie", "auth=0000000000000.x").status()).isEqualTo(401);
		assertThat(head("/live/home", Visitor.of(this.site)).status()).isEqualTo(401);
	}

	@Test
	void theStreamOfAnUnknownUserIs404() {
		assertThat(this.alice.get("/live/@nobody_at_all").status()).isEqualTo(404);
		assertThat(head("/live/@nobody_at_all", this.alice).status()).isEqualTo(404);
		assertThat(this.alice.get("/live/nothing").status()).isEqualTo(404);
	}

	@Test
	void anAuthorIsFoundInAnyCase() {
		try (EventStream stream = Visitor.of(this.site).open("/live/@" + this.alice.name().toUpperCase())) {
			assertThat(stream.status()).isEqualTo(200);
			this.alice.post("found");
			stream.awaitPost("found");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/live/public", "/live/home", "/live/@%s" })
	void headAnswersTheStatusAndEnds(String path) {
		Answer answer = head(path.formatted(this.alice.name()), this.alice);
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("Content-Type")).startsWith("text/event-stream");
		assertThat(answer.body()).isEmpty();
	}

	@Test
	void otherMethodsAreRefused() {
		this.alice.get("/home");
		Answer answer = this.alice.submit("/live/public");
		assertThat(answer.status()).isEqualTo(405);
		assertThat(answer.header("Allow")).contains("GET");
	}

	private static Answer head(String path, Visitor visitor) {
		return visitor.send(HttpMethod.HEAD.name(), path, BodyPublishers.noBody());
	}

}
