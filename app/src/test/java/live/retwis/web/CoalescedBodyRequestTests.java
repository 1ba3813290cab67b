package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescedBodyRequestTests {

	private static CoalescedBodyRequest body(Flux<String> pieces) {
		return new CoalescedBodyRequest(MockServerHttpRequest.post("/login")
			.body(pieces.map(
					(text) -> DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.US_ASCII)))));
	}

	private static String text(List<DataBuffer> blocks) {
		StringBuilder text = new StringBuilder();
		blocks.forEach((block) -> text.append(block.toString(StandardCharsets.US_ASCII)));
		return text.toString();
	}

	@Test
	void aBodyOfSingleBytesComesInFewBlocks() {
		int bytes = 60_000;
		StepVerifier.create(body(Flux.range(0, bytes).map((i) -> Integer.toString(i % 10))).getBody().collectList())
			.assertNext((blocks) -> {
				assertThat(blocks).hasSizeBetween(1, bytes / 4000);
				assertThat(text(blocks)).isEqualTo("0123456789".repeat(bytes / 10));
			})
			.verifyComplete();
	}

	@Test
	void largePiecesStayAsTheyAreAndAnErrorComesThrough() {
		List<String> pieces = Stream.of("a", "b", "c").map((letter) -> letter.repeat(5_000)).toList();
		StepVerifier.create(body(Flux.fromIterable(pieces)).getBody().map(DataBuffer::readableByteCount))
			.expectNext(5_000, 5_000, 5_000, 0)
			.verifyComplete();
		StepVerifier
			.create(body(Flux.just("x").concatWith(Flux.error(new IllegalStateException("broken off")))).getBody())
			.verifyErrorMessage("broken off");
	}

	@Test
	void anEmptyBodyIsAnEmptyBlock() {
		StepVerifier.create(body(Flux.empty()).getBody().map(DataBuffer::readableByteCount))
			.expectNext(0)
			.verifyComplete();
	}

	@Test
	void aReaderThatGoesAwayCancelsTheBody() {
		PublisherProbe<String> pieces = PublisherProbe.of(Flux.just("x").concatWith(Flux.never()));
		StepVerifier.create(body(pieces.flux()).getBody()).thenCancel().verify();
		pieces.assertWasCancelled();
	}

}
