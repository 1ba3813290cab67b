package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.http.HttpMethod;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;

import static org.assertj.core.api.Assertions.assertThat;

class StreamResponseTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final TestPublisher<byte[]> frames = TestPublisher.create();

	private final HandlerStrategies strategies = HandlerStrategies.withDefaults();

	private final ServerResponse.Context context = new ServerResponse.Context() {
		@Override
		public List<HttpMessageWriter<?>> messageWriters() {
			return StreamResponseTests.this.strategies.messageWriters();
		}

		@Override
		public List<ViewResolver> viewResolvers() {
			return StreamResponseTests.this.strategies.viewResolvers();
		}
	};

	private static MockServerWebExchange request(HttpMethod method) {
		return MockServerWebExchange.from(MockServerHttpRequest.method(method, "/live/public"));
	}

	private Mono<Void> write(MockServerWebExchange exchange) {
		return StreamResponse.of(ServerRequest.create(exchange, List.of()), (answer) -> this.frames.flux())
			.flatMap((response) -> response.writeTo(exchange, this.context));
	}

	private static byte[] frame(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void eachFrameIsWrittenAsItIs() {
		MockServerWebExchange exchange = request(HttpMethod.GET);
		StepVerifier.create(write(exchange)).then(() -> {
			this.frames.next(frame("one "));
			this.frames.next(frame("two"));
			this.frames.complete();
		}).expectComplete().verify(BOUND);
		StepVerifier.create(exchange.getResponse().getBodyAsString())
			.expectNext("one two")
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aStreamThatEndsAtOnceHasAnEmptyBody() {
		MockServerWebExchange exchange = request(HttpMethod.GET);
		StepVerifier.create(write(exchange)).then(this.frames::complete).expectComplete().verify(BOUND);
		StepVerifier.create(exchange.getResponse().getBodyAsString()).expectNext("").expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(write(request(HttpMethod.GET)))
			.then(() -> this.frames.error(new IllegalStateException("made by a test")))
			.expectErrorMessage("made by a test")
			.verify(BOUND);
	}

	@Test
	void aConnectionThatIsClosedCancelsTheFrames() {
		StepVerifier.create(write(request(HttpMethod.GET)))
			.expectSubscription()
			.then(() -> this.frames.next(frame("one")))
			.thenCancel()
			.verify(BOUND);
		this.frames.assertCancelled();
	}

	@Test
	void aRequestForTheHeadersAloneOpensNoStream() {
		MockServerWebExchange exchange = request(HttpMethod.HEAD);
		StepVerifier.create(write(exchange)).expectComplete().verify(BOUND);
		this.frames.assertWasNotSubscribed();
		assertThat(exchange.getResponse().getHeaders().getFirst("X-Accel-Buffering")).isEqualTo("no");
	}

}
