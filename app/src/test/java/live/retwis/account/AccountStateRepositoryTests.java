package live.retwis.account;

import java.time.Duration;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class AccountStateRepositoryTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final String NOBODY = "0000000000000";

	private final Site site = Site.shared();

	private final TestPublisher<Void> step = TestPublisher.create();

	private Mono<Void> ifGone(String userId) {
		return this.site.bean(AccountStateRepository.class).ifGone(userId, this.step.mono());
	}

	private void awaitStep() {
		Awaitility.await().atMost(BOUND).until(this.step::wasSubscribed);
	}

	@Test
	void theStepIsTakenForAUserWhoIsGone() {
		StepVerifier.create(ifGone(NOBODY))
			.then(this::awaitStep)
			.then(this.step::complete)
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void nothingIsDoneForAUserWhoIsThere() {
		StepVerifier.create(ifGone(Visitor.registered(this.site).id())).expectComplete().verify(BOUND);
		this.step.assertWasNotSubscribed();
	}

	@Test
	void theErrorOfTheStepIsPassedOn() {
		StepVerifier.create(ifGone(NOBODY))
			.then(this::awaitStep)
			.then(() -> this.step.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
	}

	@Test
	void cancellingStopsTheStep() {
		StepVerifier.create(ifGone(NOBODY)).expectSubscription().then(this::awaitStep).thenCancel().verify(BOUND);
		this.step.assertCancelled();
	}

}
