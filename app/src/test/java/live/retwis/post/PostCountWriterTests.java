package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class PostCountWriterTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final String post = Visitor.registered(this.site).post("counted");

	/** The two ways to store a count. */
	enum Way {

		STORE, TELL;

		Mono<Void> update(PostCountWriter counts, String post, Mono<Long> current) {
			return (this == STORE) ? counts.store(post, PostCountType.LIKES, current)
					: counts.tell(post, PostCountType.LIKES, current);
		}

	}

	private Mono<Void> update(Way way, Mono<Long> current) {
		return way.update(this.site.bean(PostCountWriter.class), this.post, current);
	}

	private List<String> stored() {
		return List.of(String.valueOf(this.site.redis().hget(Keys.post(this.post), PostCountType.LIKES.field())));
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void theCountIsStored(Way way) {
		StepVerifier.create(update(way, Mono.just(7L))).expectComplete().verify(BOUND);
		assertThat(stored()).containsExactly("7");
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void aCountThatChangesMeanwhileIsStoredAgain(Way way) {
		AtomicLong reads = new AtomicLong();
		StepVerifier.create(update(way, Mono.fromSupplier(() -> Math.min(3, reads.incrementAndGet()))))
			.expectComplete()
			.verify(BOUND);
		assertThat(stored()).containsExactly("3");
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void withoutACountNothingIsStored(Way way) {
		List<String> before = stored();
		StepVerifier.create(update(way, Mono.empty())).expectComplete().verify(BOUND);
		assertThat(stored()).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void aCountThatCannotBeReadFailsTheUpdate(Way way) {
		StepVerifier.create(update(way, Mono.error(new IllegalStateException("away"))))
			.expectErrorMessage("away")
			.verify(BOUND);
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void cancellingStopsTheRead(Way way) {
		TestPublisher<Long> current = TestPublisher.create();
		StepVerifier.create(update(way, current.mono()))
			.expectSubscription()
			.then(() -> Awaitility.await().atMost(BOUND).until(current::wasSubscribed))
			.thenCancel()
			.verify(BOUND);
		current.assertCancelled();
	}

}
