package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.redis.RedisErrorClassifier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class InDoubtCommitResolverTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final IllegalStateException lost = new IllegalStateException("the answer is lost");

	private final AtomicInteger tries = new AtomicInteger();

	private Mono<Boolean> madeButAwayFor(int times) {
		return Mono.defer(() -> (this.tries.incrementAndGet() <= times)
				? Mono.error(new QueryTimeoutException("no answer")) : Mono.just(true));
	}

	@Test
	void aCommitThatWasMadeIsTrue() {
		StepVerifier.create(new InDoubtCommitResolver().requireMade(Mono.just(true), this.lost))
			.expectNext(true)
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aCommitThatWasNotMadeFailsWithTheFirstError() {
		StepVerifier.create(new InDoubtCommitResolver().requireMade(Mono.just(false), this.lost))
			.expectErrorMessage("the answer is lost")
			.verify(BOUND);
	}

	@Test
	void asksAgainWhileTheDataNodeIsAway() {
		StepVerifier.withVirtualTime(() -> new InDoubtCommitResolver().requireMade(madeButAwayFor(6), this.lost))
			.thenAwait(Duration.ofMillis(300))
			.expectNext(true)
			.expectComplete()
			.verify(BOUND);
		assertThat(this.tries).hasValue(7);
	}

	@Test
	void givesUpWhenTheDataNodeStaysAway() {
		assertUnknownInTime(madeButAwayFor(Integer.MAX_VALUE));
		assertThat(this.tries).hasValueGreaterThan(10);
	}

	@Test
	void givesUpInTimeWhenTheDataNodeIsSilent() {
		assertUnknownInTime(Mono.never());
	}

	private void assertUnknownInTime(Mono<Boolean> made) {
		StepVerifier.withVirtualTime(() -> new InDoubtCommitResolver().requireMade(made, this.lost))
			.thenAwait(Duration.ofMillis(2500))
			.expectErrorSatisfies((error) -> {
				assertThat(RedisErrorClassifier.isAway(error)).isTrue();
				assertThat(error).hasCause(this.lost);
			})
			.verify(BOUND);
	}

	@Test
	void anotherErrorIsPassedOnAtOnce() {
		Mono<Boolean> refused = Mono.error(new IllegalArgumentException("refused"));
		StepVerifier.create(new InDoubtCommitResolver().requireMade(refused, this.lost))
			.expectErrorMessage("refused")
			.verify(BOUND);
	}

	@Test
	void noAnswerIsNone() {
		StepVerifier.create(new InDoubtCommitResolver().requireMade(Mono.empty(), this.lost))
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void cancellingStopsTheQuestion() {
		TestPublisher<Boolean> question = TestPublisher.create();
		StepVerifier.create(new InDoubtCommitResolver().requireMade(question.mono(), this.lost))
			.expectSubscription()
			.then(question::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		question.assertCancelled();
	}

}
