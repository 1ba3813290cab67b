package live.retwis.log;

import java.time.Duration;

import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class IntentsTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Intents intents = this.site.bean(Intents.class);

	private final Intent intent = Intent.of(Intent.Kind.PROFILE, "nobody", "-");

	private final TestPublisher<String> steps = TestPublisher.create();

	private Mono<String> run() {
		return this.intents.run(this.intent, Duration.ofMinutes(5), this.steps.mono());
	}

	private void awaitSteps() {
		StepVerifier.create(Mono.delay(Duration.ofMillis(10)).repeat().takeUntil((tick) -> this.steps.wasSubscribed()))
			.thenConsumeWhile((tick) -> true)
			.expectComplete()
			.verify(BOUND);
	}

	private boolean isDeclared() {
		return this.site.redis().zscore(Keys.INTENTS, this.intent.text()) != null;
	}

	@AfterEach
	void drop() {
		this.intents.drop(this.intent).block(BOUND);
	}

	@Test
	void theIntentIsDeclaredBeforeTheStepsAndTheirResultIsPassedOn() {
		StepVerifier.create(run()).then(this::awaitSteps).then(() -> {
			assertThat(isDeclared()).isTrue();
			this.steps.emit("done");
		}).expectNext("done").expectComplete().verify(BOUND);
		assertThat(isDeclared()).as("the last step removes it").isTrue();
	}

	@Test
	void anIntentOfAClockThatWentBackAnHourIsDueWithinTenMinutes() {
		double now = System.currentTimeMillis();
		this.site.redis().zadd(Keys.INTENTS, now + Duration.ofHours(1).toMillis(), this.intent.text());
		this.intents.take(1, Duration.ofSeconds(1)).block(BOUND);
		assertThat(this.site.redis().zscore(Keys.INTENTS, this.intent.text())).isBetween(now, now + 600_000 + 60_000);
	}

	@Test
	void aWriteThatMayBeRepeatedHasOneIntentEachTime() {
		Intent repeatable = Intent.repeatable(Intent.Kind.SESSION_END, "nobody", "hash");
		assertThat(repeatable.renewed()).isEqualTo(repeatable);
		assertThat(repeatable).isEqualTo(Intent.repeatable(Intent.Kind.SESSION_END, "nobody", "hash"));
		assertThat(Intent.parse(repeatable.text())).contains(repeatable);
		assertThat(this.intent.renewed().text()).isNotEqualTo(this.intent.text());
	}

	@Test
	void stepsWithoutAResultHaveNone() {
		StepVerifier.create(run()).then(this::awaitSteps).then(this.steps::complete).expectComplete().verify(BOUND);
	}

	@Test
	void anErrorIsPassedOnAndTheIntentStays() {
		StepVerifier.create(run())
			.then(this::awaitSteps)
			.then(() -> this.steps.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
		assertThat(isDeclared()).isTrue();
	}

	/**
	 * On a cluster the fail-over of the log's node may lose the intent, but not what the
	 * steps have changed on other nodes.
	 */
	@Test
	void anIntentThatIsLostWhileItsStepsRunIsDeclaredAgain() {
		StepVerifier.create(run()).then(this::awaitSteps).then(() -> {
			this.site.redis().zrem(Keys.INTENTS, this.intent.text());
			this.steps.error(new QueryTimeoutException("away"));
		}).expectErrorMessage("away").verify(BOUND);
		Awaitility.await().atMost(BOUND).until(this::isDeclared);
	}

	@Test
	void anIntentIsNotDeclaredAgainForAnErrorOfTheStepsThemselves() {
		StepVerifier.create(run()).then(this::awaitSteps).then(() -> {
			this.site.redis().zrem(Keys.INTENTS, this.intent.text());
			this.steps.error(new IllegalStateException("refused"));
		}).expectErrorMessage("refused").verify(BOUND);
		assertThat(isDeclared()).isFalse();
	}

	@Test
	void theStepsGoOnWhenTheCallerCancels() {
		StepVerifier.create(run()).expectSubscription().thenCancel().verify(BOUND);
		awaitSteps();
		this.steps.assertNotCancelled();
	}

	@Test
	void aWriteThatHasNotBegunFailsWithItsReasonAndLeavesNoIntent() {
		this.intents.declare(this.intent, Duration.ofMinutes(5)).block(BOUND);
		StepVerifier.create(this.intents.notBegun(this.intent, new IllegalStateException("full")))
			.expectErrorMessage("full")
			.verify(BOUND);
		assertThat(isDeclared()).isFalse();
	}

}
