package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

class ETagResponseTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final String TAG = ETagResponse.tag("content".getBytes(StandardCharsets.UTF_8));

	private final TestPublisher<ServerResponse> content = TestPublisher.create();

	private Mono<ServerResponse> answer(String known) {
		ServerRequest request = ServerRequest.create(
				MockServerWebExchange.from(MockServerHttpRequest.get("/").header(HttpHeaders.IF_NONE_MATCH, known)),
				List.of());
		return ETagResponse.of(request, TAG, CacheControl.noCache(), this.content::mono);
	}

	@Test
	void aClientWithoutTheContentGetsIt() {
		ServerResponse made = ServerResponse.ok().build().blockOptional(BOUND).orElseThrow();
		StepVerifier.create(answer("W/\"another\""))
			.then(() -> this.content.emit(made))
			.expectNext(made)
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void theContentIsNotMadeForAClientThatHasIt() {
		StepVerifier.create(answer(TAG))
			.assertNext((answer) -> assertThat(answer.statusCode()).isEqualTo(HttpStatus.NOT_MODIFIED))
			.expectComplete()
			.verify(BOUND);
		this.content.assertWasNotSubscribed();
	}

	@Test
	void withoutContentThereIsNoAnswer() {
		StepVerifier.create(answer("W/\"another\"")).then(this.content::complete).expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(answer("W/\"another\""))
			.then(() -> this.content.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
	}

	@Test
	void cancellingStopsTheContent() {
		StepVerifier.create(answer("W/\"another\""))
			.expectSubscription()
			.then(this.content::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		this.content.assertCancelled();
	}

}
