package live.retwis.locks;

import java.time.Duration;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

class ThrowableCapturingMonoTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static StepVerifier.FirstStep<String> resultOf(Supplier<Mono<String>> callback) {
		return StepVerifier.create(new ThrowableCapturingMono<>(callback));
	}

	/** An error for which Reactor's own operators give no signal. */
	private static <T> T throwFatal() {
		throw new NoClassDefFoundError("missing");
	}

	@Test
	void passesTheValueOn() {
		resultOf(() -> Mono.just("a")).expectNext("a").expectComplete().verify(BOUND);
	}

	@Test
	void aCallbackWithoutAResultHasNone() {
		resultOf(Mono::empty).expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		resultOf(() -> Mono.error(new IllegalStateException("refused"))).expectErrorMessage("refused").verify(BOUND);
	}

	@Test
	void whatTheCallbackThrowsIsAnErrorSignal() {
		resultOf(ThrowableCapturingMonoTests::throwFatal).expectError(NoClassDefFoundError.class).verify(BOUND);
	}

	@Test
	void whatTheSubscriptionThrowsIsAnErrorSignal() {
		resultOf(() -> Mono.fromSupplier(ThrowableCapturingMonoTests::throwFatal))
			.expectError(NoClassDefFoundError.class)
			.verify(BOUND);
	}

	@Test
	void whatIsThrownAfterTheValueChangesNothing() {
		resultOf(() -> new Mono<>() {
			@Override
			public void subscribe(CoreSubscriber<? super String> actual) {
				actual.onSubscribe(Operators.emptySubscription());
				actual.onNext("a");
				throwFatal();
			}
		}).expectNext("a")
			.expectComplete()
			.verifyThenAssertThat(BOUND)
			.hasDroppedErrorOfType(NoClassDefFoundError.class);
	}

	@Test
	void cancellingCancelsWhatTheCallbackReturned() {
		PublisherProbe<String> returned = PublisherProbe.of(Mono.never());
		resultOf(returned::mono).expectSubscription().thenCancel().verify(BOUND);
		returned.assertWasCancelled();
	}

	@Test
	void theCallbackHasTheContextOfItsCaller() {
		StepVerifier
			.create(new ThrowableCapturingMono<>(
					() -> Mono.deferContextual((context) -> Mono.just(context.<String>get("name"))))
				.contextWrite((context) -> context.put("name", "alice")))
			.expectNext("alice")
			.expectComplete()
			.verify(BOUND);
	}

}
