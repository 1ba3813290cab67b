package live.retwis.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import live.retwis.redis.RedisErrorClassifier;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class InstanceLogPositionTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final LogPosition FIRST = new LogPosition(1, 0, "first");

	private static final LogPosition SECOND = new LogPosition(2, 0, "second");

	private final InstanceLogPosition heard = new InstanceLogPosition();

	@Test
	void theLastPositionIsKnownAtOnce() {
		this.heard.heard(FIRST);
		this.heard.heard(SECOND);
		StepVerifier.create(this.heard.position()).expectNext(SECOND).expectComplete().verify(BOUND);
	}

	@Test
	void anInstanceThatHasJustStartedWaitsForItsFirstEntry() {
		StepVerifier.create(this.heard.position())
			.then(() -> this.heard.heard(FIRST))
			.expectNext(FIRST)
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void withoutAnEntryTheDataNodeCountsAsAway() {
		StepVerifier.withVirtualTime(this.heard::position)
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(1999))
			.thenAwait(Duration.ofMillis(1))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
	}

	@Test
	void aPageThatGoesAwayDoesNotStopTheOthers() {
		CompletableFuture<LogPosition> other = this.heard.position().toFuture();
		StepVerifier.create(this.heard.position()).expectSubscription().thenCancel().verify(BOUND);
		this.heard.heard(FIRST);
		assertThat(other).isCompletedWithValue(FIRST);
	}

}
