package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class LabSubscriberTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int CAPACITY = 8;

	private final LabSubscriber subscriber = new LabSubscriber(CAPACITY);

	private static byte[] frame(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] frame) {
		return new String(frame, StandardCharsets.UTF_8);
	}

	private Flux<String> frames(Flux<byte[]> first) {
		return this.subscriber.frames(first).map(LabSubscriberTests::text);
	}

	@Test
	void theFramesOfBeforeComeFirstAndAnEndedStreamSaysFarewell() {
		assertThat(this.subscriber.send(frame("waiting"))).isTrue();
		StepVerifier.create(frames(Flux.just(frame("first"))))
			.expectNext("first", "waiting")
			.then(() -> assertThat(this.subscriber.send(frame("live"))).isTrue())
			.expectNext("live")
			.then(this.subscriber::end)
			.expectNextMatches((frame) -> frame.startsWith("retry: "))
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aStreamThatIsReadTooSlowlyIsCutOffInsteadOfBeingKept() {
		StepVerifier.create(frames(Flux.empty()), 0).then(() -> {
			for (int i = 0; i < CAPACITY; i++) {
				assertThat(this.subscriber.send(frame("frame " + i))).isTrue();
			}
			assertThat(this.subscriber.send(frame("one too many"))).isFalse();
		}).expectComplete().verify(BOUND);
	}

	@Test
	void anErrorBeforeTheLiveFramesEndsTheStream() {
		StepVerifier.create(frames(Flux.error(new IllegalStateException("no history"))))
			.expectErrorMessage("no history")
			.verify(BOUND);
	}

	@Test
	void nothingIsKeptForAPageThatIsClosed() {
		StepVerifier.create(frames(Flux.empty()))
			.then(() -> this.subscriber.send(frame("live")))
			.expectNext("live")
			.thenCancel()
			.verify(BOUND);
		assertThat(this.subscriber.send(frame("to nobody"))).isFalse();
	}

}
