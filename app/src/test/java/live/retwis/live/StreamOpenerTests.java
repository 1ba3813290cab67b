package live.retwis.live;

import java.time.Duration;
import java.util.Optional;

import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings("NullAway.Init")
class StreamOpenerTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static Site site;

	private final StreamRegistry streams = site.bean(StreamRegistry.class);

	/** An instance without other streams. */
	@BeforeAll
	static void start() {
		site = Site.another();
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private Flux<String> open(Mono<Boolean> allowed) {
		MockServerHttpResponse answer = new MockServerHttpResponse() {
			@Override
			@SuppressWarnings("unchecked")
			public <T> T getNativeResponse() {
				return (T) "not of a network";
			}
		};
		ServerWebExchange exchange = new ServerWebExchangeDecorator(
				MockServerWebExchange.from(MockServerHttpRequest.get("/live/public"))) {
			@Override
			public ServerHttpResponse getResponse() {
				return answer;
			}
		};
		return site.bean(StreamOpener.class)
			.open(exchange, "", StreamSelection.everyone(), Optional.empty(), allowed)
			.map(Entries::text);
	}

	private int openStreams() {
		return this.streams.streams().blockOptional(BOUND).orElseThrow();
	}

	private void awaitNoStream() {
		Awaitility.await().atMost(BOUND).until(() -> openStreams() == 0);
	}

	@Test
	void anAllowedStreamBeginsWithItsPositionAndIsOpenUntilItIsCancelled() {
		StepVerifier.create(open(Mono.just(true)))
			.assertNext((opening) -> assertThat(opening).contains("event: position"))
			.then(() -> assertThat(openStreams()).isEqualTo(1))
			.thenCancel()
			.verify(BOUND);
		awaitNoStream();
	}

	@Test
	void aStreamThatIsNotAllowedEndsWithoutAnEvent() {
		StepVerifier.create(open(Mono.just(false))).expectComplete().verify(BOUND);
		awaitNoStream();
	}

	@Test
	void aStreamOfWhichNothingIsKnownEndsWithoutAnEvent() {
		StepVerifier.create(open(Mono.empty())).expectComplete().verify(BOUND);
		awaitNoStream();
	}

	@Test
	void aStreamThatCannotBeCheckedSaysWhenToComeBack() {
		StepVerifier.create(open(Mono.error(new IllegalStateException("away"))))
			.assertNext((farewell) -> assertThat(farewell).startsWith("retry:"))
			.expectComplete()
			.verify(BOUND);
		awaitNoStream();
	}

	@Test
	void cancellingBeforeTheStreamIsOpenStopsTheCheck() {
		TestPublisher<Boolean> check = TestPublisher.create();
		StepVerifier.create(open(check.mono()))
			.expectSubscription()
			.then(() -> Awaitility.await().atMost(BOUND).until(check::wasSubscribed))
			.thenCancel()
			.verify(BOUND);
		check.assertCancelled();
		awaitNoStream();
	}

}
