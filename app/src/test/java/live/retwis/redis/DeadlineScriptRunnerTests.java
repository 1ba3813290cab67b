package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.lettuce.core.RedisCommandExecutionException;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class DeadlineScriptRunnerTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final DeadlineScriptRunner deadlines = Site.shared().bean(DeadlineScriptRunner.class);

	/** The deadlines that the write was given. */
	private final List<Long> given = new CopyOnWriteArrayList<>();

	private <T> Mono<T> run(Function<Integer, Mono<T>> write) {
		return this.deadlines.run((deadline) -> {
			this.given.add(Long.valueOf(deadline));
			return write.apply(this.given.size());
		});
	}

	private static <T> Mono<T> refused(String message) {
		return Mono.error(new RedisCommandExecutionException(message));
	}

	@Test
	void theDeadlineIsLaterThanTheTimeOfTheDataNode() {
		long now = Site.shared().bean(DataClock.class).millis().blockOptional(BOUND).orElseThrow();
		StepVerifier.create(run((time) -> Mono.just("done"))).expectNext("done").expectComplete().verify(BOUND);
		assertThat(this.given).singleElement().satisfies((deadline) -> assertThat(deadline).isGreaterThan(now));
	}

	@Test
	void aWriteWithoutAResultHasNone() {
		StepVerifier.create(run((time) -> Mono.empty())).expectComplete().verify(BOUND);
	}

	@Test
	void aWriteThatWasLateRunsAgainOnTheClockOfTheNodeThatSaysSo() {
		StepVerifier.create(run((time) -> (time == 1) ? refused("ERR LATE 5000 script: 1") : Mono.just("done")))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
		assertThat(this.given).hasSize(2);
		assertThat(this.given.get(1)).isBetween(5001L, 5000 + BOUND.toMillis());
	}

	@Test
	void anotherRefusalIsPassedOn() {
		StepVerifier.create(run((time) -> refused("ERR no room"))).expectErrorMessage("ERR no room").verify(BOUND);
		assertThat(this.given).hasSize(1);
	}

	@Test
	void cancellingStopsTheWrite() {
		TestPublisher<String> write = TestPublisher.create();
		StepVerifier.create(run((time) -> write.mono()))
			.expectSubscription()
			.then(write::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		write.assertCancelled();
	}

}
