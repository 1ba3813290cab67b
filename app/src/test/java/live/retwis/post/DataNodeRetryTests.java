package live.retwis.post;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.redis.RedisErrorClassifier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class DataNodeRetryTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final AtomicInteger tries = new AtomicInteger();

	/** Fails as if the data node were away, for this many tries. */
	private Mono<String> awayFor(int times) {
		return Mono.defer(() -> (this.tries.incrementAndGet() <= times)
				? Mono.error(new QueryTimeoutException("no answer")) : Mono.just("made"));
	}

	@Test
	void passesTheResultOn() {
		StepVerifier.create(DataNodeRetry.within(awayFor(0))).expectNext("made").expectComplete().verify(BOUND);
		assertThat(this.tries).hasValue(1);
	}

	@Test
	void triesAgainWhileTheDataNodeIsAway() {
		StepVerifier.withVirtualTime(() -> DataNodeRetry.within(awayFor(3)))
			.thenAwait(BOUND)
			.expectNext("made")
			.expectComplete()
			.verify(BOUND);
		assertThat(this.tries).hasValue(4);
	}

	@Test
	void anAttemptWithoutAResultHasNone() {
		StepVerifier.create(DataNodeRetry.within(Mono.empty())).expectComplete().verify(BOUND);
	}

	@Test
	void anotherErrorIsPassedOnAtOnce() {
		Mono<String> refused = Mono.defer(() -> {
			this.tries.incrementAndGet();
			return Mono.error(new IllegalStateException("refused"));
		});
		StepVerifier.create(DataNodeRetry.within(refused)).expectErrorMessage("refused").verify(BOUND);
		assertThat(this.tries).hasValue(1);
	}

	@Test
	void givesUpWhenTheTimeOfARequestIsOver() {
		StepVerifier.withVirtualTime(() -> DataNodeRetry.within(awayFor(Integer.MAX_VALUE)))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(2499))
			.thenAwait(Duration.ofMillis(1))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
		assertThat(this.tries).hasValueBetween(8, 60);
	}

	@Test
	void anAttemptThatIsNotAnsweredInTimeIsCancelled() {
		TestPublisher<String> attempt = TestPublisher.create();
		StepVerifier.withVirtualTime(() -> DataNodeRetry.inTime(attempt.mono()))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(2499))
			.thenAwait(Duration.ofMillis(1))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
		attempt.assertCancelled();
	}

	@Test
	void cancellingStopsTheAttempt() {
		TestPublisher<String> attempt = TestPublisher.create();
		StepVerifier.create(DataNodeRetry.within(attempt.mono()))
			.expectSubscription()
			.then(attempt::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		attempt.assertCancelled();
	}

	@Test
	void nothingIsTriedAgainAfterTheCallerHasCancelled() {
		VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
		try {
			StepVerifier.create(DataNodeRetry.within(awayFor(Integer.MAX_VALUE)))
				.expectSubscription()
				.then(() -> assertThat(this.tries).hasValue(1))
				.thenCancel()
				.verify(BOUND);
			time.advanceTimeBy(BOUND);
			assertThat(this.tries).hasValue(1);
		}
		finally {
			VirtualTimeScheduler.reset();
		}
	}

}
