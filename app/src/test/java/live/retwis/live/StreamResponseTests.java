package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.http.HttpMethod;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

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

	private final EmbeddedChannel channel = new EmbeddedChannel();

	/** A response on a connection. */
	private final MockServerHttpResponse answer = new MockServerHttpResponse() {
		@Override
		@SuppressWarnings("unchecked")
		public <T> T getNativeResponse() {
			return (T) Connection.from(StreamResponseTests.this.channel);
		}
	};

	private Mono<Void> write(HttpMethod method) {
		ServerWebExchange exchange = new ServerWebExchangeDecorator(
				MockServerWebExchange.from(MockServerHttpRequest.method(method, "/live/public"))) {
			@Override
			public ServerHttpResponse getResponse() {
				return StreamResponseTests.this.answer;
			}
		};
		return StreamResponse.of(ServerRequest.create(exchange, List.of()), (message) -> this.frames.flux())
			.flatMap((response) -> response.writeTo(exchange, this.context));
	}

	private static byte[] frame(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void eachFrameIsWrittenAsItIs() {
		StepVerifier.create(write(HttpMethod.GET)).then(() -> {
			this.frames.next(frame("one "));
			this.frames.next(frame("two"));
			this.frames.complete();
		}).expectComplete().verify(BOUND);
		StepVerifier.create(this.answer.getBodyAsString()).expectNext("one two").expectComplete().verify(BOUND);
	}

	@Test
	void aStreamThatEndsAtOnceHasAnEmptyBody() {
		StepVerifier.create(write(HttpMethod.GET)).then(this.frames::complete).expectComplete().verify(BOUND);
		StepVerifier.create(this.answer.getBodyAsString()).expectNext("").expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(write(HttpMethod.GET))
			.then(() -> this.frames.error(new IllegalStateException("made by a test")))
			.expectErrorMessage("made by a test")
			.verify(BOUND);
	}

	@Test
	void aConnectionThatIsClosedCancelsTheFrames() {
		StepVerifier.create(write(HttpMethod.GET))
			.expectSubscription()
			.then(() -> this.frames.next(frame("one")))
			.then(this.channel::close)
			.expectComplete()
			.verify(BOUND);
		this.frames.assertCancelled();
	}

	@Test
	void aConnectionThatIsClosedBeforeTheAnswerBeginsCancelsTheFrames() {
		this.channel.close();
		StepVerifier.create(write(HttpMethod.GET)).expectComplete().verify(BOUND);
		this.frames.assertNoSubscribers();
	}

	@Test
	void aRequestThatIsCancelledCancelsTheFrames() {
		StepVerifier.create(write(HttpMethod.GET))
			.expectSubscription()
			.then(() -> this.frames.next(frame("one")))
			.thenCancel()
			.verify(BOUND);
		this.frames.assertCancelled();
	}

	@Test
	void aRequestForTheHeadersAloneOpensNoStream() {
		StepVerifier.create(write(HttpMethod.HEAD)).expectComplete().verify(BOUND);
		this.frames.assertWasNotSubscribed();
		assertThat(this.answer.getHeaders().getFirst("X-Accel-Buffering")).isEqualTo("no");
	}

}
