package live.retwis.live;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads of a post while the log answers. */
class PostReadRetryTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final LogPosition PLACE = new LogPosition(1, 0, "place");

	private final PostReadRetry patience = new PostReadRetry(Site.shared().bean(CommitLog.class));

	private final AtomicInteger tries = new AtomicInteger();

	private Mono<String> read(Mono<String> attempt) {
		return attempt.retryWhen(this.patience.forPostAt(PLACE));
	}

	/** Fails as if the post's part of the cluster were away, for this many tries. */
	private Mono<String> awayFor(int times) {
		return Mono.defer(() -> (this.tries.incrementAndGet() <= times)
				? Mono.error(new QueryTimeoutException("no answer")) : Mono.just("post"));
	}

	@Test
	void aPostThatIsAwayForAMomentIsReadAgain() {
		StepVerifier.create(read(awayFor(2))).expectNext("post").expectComplete().verify(BOUND);
		assertThat(this.tries).hasValue(3);
	}

	@Test
	void aPostThatDoesNotExistIsNotReadAgain() {
		StepVerifier.create(read(Mono.empty())).expectComplete().verify(BOUND);
	}

	/** Only reposts of old posts need the archive, and all later entries would wait. */
	@Test
	void aPostThatOnlyTheArchiveHasIsNotReadAgain() {
		Mono<String> archived = Mono.defer(() -> {
			this.tries.incrementAndGet();
			return Mono.error(new ArchiveAwayException("away"));
		});
		StepVerifier.create(read(archived)).expectError(ArchiveAwayException.class).verify(BOUND);
		assertThat(this.tries).hasValue(1);
	}

	@Test
	void anotherErrorIsPassedOnAtOnce() {
		Mono<String> broken = Mono.defer(() -> {
			this.tries.incrementAndGet();
			return Mono.error(new IllegalStateException("broken"));
		});
		StepVerifier.create(read(broken)).expectErrorMessage("broken").verify(BOUND);
		assertThat(this.tries).hasValue(1);
	}

	@Test
	@Tag("slow")
	void aPostThatStaysAwayIsGivenUpAndTheNextIsTriedOnlyOnce() {
		Duration waited = StepVerifier.create(read(awayFor(Integer.MAX_VALUE)))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
		assertThat(waited).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
		this.tries.set(0);
		StepVerifier.create(read(awayFor(Integer.MAX_VALUE)))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
		assertThat(this.tries).hasValue(1);
	}

	@Test
	void cancellingStopsTheRead() {
		TestPublisher<String> second = TestPublisher.create();
		Mono<String> attempt = Mono.defer(() -> (this.tries.incrementAndGet() == 1)
				? Mono.error(new QueryTimeoutException("no answer")) : second.mono());
		StepVerifier.create(read(attempt))
			.expectSubscription()
			.then(() -> Awaitility.await().atMost(BOUND).until(second::wasSubscribed))
			.thenCancel()
			.verify(BOUND);
		second.assertCancelled();
	}

}
