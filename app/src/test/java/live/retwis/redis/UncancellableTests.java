package live.retwis.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class UncancellableTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final TestPublisher<String> write = TestPublisher.create();

	private final List<String> written = new ArrayList<>();

	private final Mono<String> uncancellable = Uncancellable.of(this.write.mono().doOnNext(this.written::add));

	@Test
	void passesTheResultOn() {
		StepVerifier.create(this.uncancellable)
			.then(() -> this.write.emit("done"))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aWriteWithoutAResultHasNone() {
		StepVerifier.create(this.uncancellable).then(this.write::complete).expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(this.uncancellable)
			.then(() -> this.write.error(new IllegalStateException("refused")))
			.expectErrorMessage("refused")
			.verify(BOUND);
	}

	@Test
	void theWriteGoesOnWhenItsCallerCancels() {
		StepVerifier.create(this.uncancellable).expectSubscription().thenCancel().verify(BOUND);
		this.write.assertNotCancelled();
		this.write.emit("late");
		assertThat(this.written).containsExactly("late");
	}

	@Test
	void theWriteHasTheContextOfItsCaller() {
		Mono<String> named = Mono.deferContextual((context) -> Mono.just(context.get("name")));
		StepVerifier.create(Uncancellable.of(named).contextWrite((context) -> context.put("name", "alice")))
			.expectNext("alice")
			.expectComplete()
			.verify(BOUND);
	}

}
