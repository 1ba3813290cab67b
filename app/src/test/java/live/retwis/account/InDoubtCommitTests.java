package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.redis.RedisErrorClassifier;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class InDoubtCommitTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final IllegalStateException lost = new IllegalStateException("the answer is lost");

	private final AtomicInteger tries = new AtomicInteger();

	private Mono<Boolean> madeButAwayFor(int times) {
		return Mono.defer(() -> (this.tries.incrementAndGet() <= times)
				? Mono.error(new QueryTimeoutException("no answer")) : Mono.just(true));
	}

	@Test
	void aCommitThatWasMadeIsTrue() {
		StepVerifier.create(InDoubtCommit.ask(Mono.just(true), this.lost))
			.expectNext(true)
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void aCommitThatWasNotMadeFailsWithTheFirstError() {
		StepVerifier.create(InDoubtCommit.ask(Mono.just(false), this.lost))
			.expectErrorMessage("the answer is lost")
			.verify(BOUND);
	}

	@Test
	void asksAgainWhileTheDataNodeIsAway() {
		StepVerifier.withVirtualTime(() -> InDoubtCommit.ask(madeButAwayFor(6), this.lost))
			.thenAwait(Duration.ofMinutes(1))
			.expectNext(true)
			.expectComplete()
			.verify(BOUND);
		assertThat(this.tries).hasValue(7);
	}

	@Test
	void givesUpWhenTheDataNodeStaysAway() {
		StepVerifier.withVirtualTime(() -> InDoubtCommit.ask(madeButAwayFor(Integer.MAX_VALUE), this.lost))
			.thenAwait(Duration.ofMinutes(1))
			.expectErrorSatisfies((error) -> {
				assertThat(Exceptions.isRetryExhausted(error)).isTrue();
				assertThat(RedisErrorClassifier.isAway(error)).isTrue();
			})
			.verify(BOUND);
		assertThat(this.tries).hasValue(7);
	}

	@Test
	void anotherErrorIsPassedOnAtOnce() {
		Mono<Boolean> refused = Mono.error(new IllegalArgumentException("refused"));
		StepVerifier.create(InDoubtCommit.ask(refused, this.lost)).expectErrorMessage("refused").verify(BOUND);
	}

	@Test
	void noAnswerIsNone() {
		StepVerifier.create(InDoubtCommit.ask(Mono.empty(), this.lost)).expectComplete().verify(BOUND);
	}

	@Test
	void cancellingStopsTheQuestion() {
		TestPublisher<Boolean> question = TestPublisher.create();
		StepVerifier.create(InDoubtCommit.ask(question.mono(), this.lost))
			.expectSubscription()
			.then(question::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		question.assertCancelled();
	}

}
