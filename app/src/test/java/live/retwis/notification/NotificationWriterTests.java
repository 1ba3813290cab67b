package live.retwis.notification;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.Cursor;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class NotificationWriterTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final String reader = Visitor.registered(this.site).id();

	private final Notification follow = new Notification(NotificationType.FOLLOW, "0000000000000", "");

	private final TestPublisher<Boolean> isTrue = TestPublisher.create();

	private Mono<Void> settle(Mono<Boolean> truth) {
		return this.site.bean(NotificationWriter.class).settle(this.reader, this.follow, 1, truth);
	}

	private void awaitQuestion() {
		Awaitility.await().atMost(BOUND).until(this.isTrue::wasSubscribed);
	}

	private List<String> stored() {
		return this.site.bean(NotificationRepository.class)
			.all(this.reader)
			.blockOptional(BOUND)
			.orElseThrow()
			.stream()
			.map(Cursor::member)
			.toList();
	}

	@Test
	void whatIsTrueIsAddedAndWhatIsNoLongerTrueIsRemoved() {
		StepVerifier.create(settle(Mono.just(true))).expectComplete().verify(BOUND);
		assertThat(stored()).containsExactly(this.follow.member());
		StepVerifier.create(settle(Mono.just(false))).expectComplete().verify(BOUND);
		assertThat(stored()).isEmpty();
	}

	@Test
	void nothingIsAddedWithoutAnAnswer() {
		StepVerifier.create(settle(Mono.empty())).expectComplete().verify(BOUND);
		assertThat(stored()).isEmpty();
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(settle(Mono.error(new IllegalStateException("away"))))
			.expectErrorMessage("away")
			.verify(BOUND);
		assertThat(stored()).isEmpty();
	}

	@Test
	void cancellingStopsTheQuestion() {
		StepVerifier.create(settle(this.isTrue.mono()))
			.expectSubscription()
			.then(this::awaitQuestion)
			.thenCancel()
			.verify(BOUND);
		this.isTrue.assertCancelled();
	}

}
