package live.retwis.locking;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import live.retwis.locks.LockTaken;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import live.retwis.redis.CommandRecorder;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedWritesTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final GuardedWrites guard = this.site.bean(GuardedWrites.class);

	private final Intents intents = this.site.bean(Intents.class);

	private final String key = Keys.user(UUID.randomUUID().toString());

	private final Intent intent = Intent.of(Intent.Kind.PROFILE, "nobody", "-");

	private final TestPublisher<String> body = TestPublisher.create();

	private Mono<String> write() {
		return this.guard.write(this.intent, this.key, (lease) -> this.body.mono(), Function.identity());
	}

	private Mono<String> repair() {
		return this.guard.repair(this.key, (lease) -> this.body.mono());
	}

	private void awaitBody() {
		Awaitility.await().atMost(BOUND).until(this.body::wasSubscribed);
	}

	private boolean isDeclared() {
		return this.site.redis().zscore(Keys.INTENTS, this.intent.text()) != null;
	}

	private void assertThatTheLockIsFree() {
		StepVerifier.create(this.guard.repair(this.key, (lease) -> Mono.just("mine")))
			.expectNext("mine")
			.expectComplete()
			.verify(BOUND);
	}

	@AfterEach
	void drop() {
		this.intents.drop(this.intent).block(BOUND);
	}

	@Test
	void theResultOfAWriteIsPassedOnAndTheLockIsReleased() {
		StepVerifier.create(write())
			.then(this::awaitBody)
			.then(() -> this.body.emit("done"))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
		assertThatTheLockIsFree();
	}

	@Test
	void aWriteWithoutAResultHasNone() {
		StepVerifier.create(write()).then(this::awaitBody).then(this.body::complete).expectComplete().verify(BOUND);
		assertThatTheLockIsFree();
	}

	@Test
	void theErrorOfAWriteIsPassedOnAndItsIntentStays() {
		StepVerifier.create(write())
			.then(this::awaitBody)
			.then(() -> this.body.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
		assertThat(isDeclared()).isTrue();
		assertThatTheLockIsFree();
	}

	@Test
	void aWriteThatDoesNotGetTheLockLeavesNoIntent() {
		Mono<String> second = this.guard.write(this.intent, this.key, (lease) -> Mono.just("second"),
				Function.identity());
		StepVerifier.create(this.guard.repair(this.key, (lease) -> second)).expectError(LockTaken.class).verify(BOUND);
		assertThat(isDeclared()).isFalse();
	}

	@Test
	void aWriteGoesOnWhenItsCallerCancels() {
		StepVerifier.create(write()).expectSubscription().then(this::awaitBody).thenCancel().verify(BOUND);
		this.body.assertNotCancelled();
		this.body.emit("done");
		assertThatTheLockIsFree();
	}

	@Test
	void theResultOfARepairIsPassedOn() {
		StepVerifier.create(repair())
			.then(this::awaitBody)
			.then(() -> this.body.emit("done"))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
		assertThatTheLockIsFree();
	}

	@Test
	void aRepairWithoutAResultHasNone() {
		StepVerifier.create(repair()).then(this::awaitBody).then(this.body::complete).expectComplete().verify(BOUND);
	}

	@Test
	void theErrorOfARepairIsPassedOnAndTheLockIsReleased() {
		StepVerifier.create(repair())
			.then(this::awaitBody)
			.then(() -> this.body.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
		assertThatTheLockIsFree();
	}

	@Test
	void cancellingARepairStopsItAndReleasesTheLock() {
		StepVerifier.create(repair()).expectSubscription().then(this::awaitBody).thenCancel().verify(BOUND);
		// The body may get the cancellation a moment after it was subscribed to.
		Awaitility.await().atMost(BOUND).untilAsserted(this.body::assertCancelled);
		assertThatTheLockIsFree();
	}

	@Test
	void aRepairThatDoesNotWaitFindsTheLockTaken() {
		StepVerifier
			.create(this.guard.repair(this.key, (lease) -> this.guard.repairNow(this.key, (other) -> Mono.just("two"))))
			.expectError(LockTaken.class)
			.verify(BOUND);
	}

	@Test
	void aRecordingHasALockThatWasHadAndOneThatCouldNotBeHad() {
		List<String> told = new CopyOnWriteArrayList<>();
		CommandRecorder recorder = new CommandRecorder() {

			@Override
			public Answer sent(String name, List<String> arguments, int left, String node, BooleanSupplier answered) {
				return (when, elements, bytes, failed) -> {
				};
			}

			@Override
			public void locked(String resource, Map<String, String> nodes, Duration waited, Duration left) {
				told.add("locked " + resource);
			}

			@Override
			public void refused(String resource, boolean taken, Duration waited) {
				told.add("refused " + resource + (taken ? ", taken" : ""));
			}

		};
		StepVerifier.create(repair())
			.then(this::awaitBody)
			.then(() -> StepVerifier
				.create(CommandRecorderContext.record(this.guard.repairNow(this.key, (lease) -> Mono.just("never")),
						recorder))
				.expectError(LockTaken.class)
				.verify(BOUND))
			.thenCancel()
			.verify(BOUND);
		Awaitility.await().atMost(BOUND).untilAsserted(this::assertThatTheLockIsFree);
		StepVerifier
			.create(CommandRecorderContext.record(this.guard.repair(this.key, (lease) -> Mono.just("mine")), recorder))
			.expectNext("mine")
			.expectComplete()
			.verify(BOUND);
		assertThat(told).containsExactly("refused " + this.key + ", taken", "locked " + this.key);
	}

}
