package live.retwis.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class BestEffortReadsTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final CompletableFuture<String> own = new CompletableFuture<>();

	private final CompletableFuture<Long> extra = new CompletableFuture<>();

	private final CompletableFuture<String> both = BestEffortReads.join(this.own,
			this.extra.thenApply((value) -> value), 0L, (content, number) -> content + " " + number);

	@Test
	void bothAreJoinedWhicheverComesFirst() {
		this.extra.complete(3L);
		this.own.complete("page");
		assertThat(this.both).isCompletedWithValue("page 3");
		CompletableFuture<Long> later = new CompletableFuture<>();
		CompletableFuture<String> joined = BestEffortReads.join(this.own, later, 0L,
				(content, number) -> content + number);
		later.complete(4L);
		assertThat(joined).succeedsWithin(SOON).isEqualTo("page4");
	}

	@Test
	void aPageDoesNotWaitForWhatComesTooLate() {
		this.own.complete("page");
		assertThat(this.both).succeedsWithin(SOON).isEqualTo("page 0");
	}

	/** The thread of Java's own time-outs is one for all pages. */
	@Test
	void aLatePageGoesOnOnAThreadThatIsMeantForIt() {
		CompletableFuture<String> thread = BestEffortReads.join(this.own, new CompletableFuture<Long>(), 0L,
				(content, number) -> Thread.currentThread().getName());
		this.own.complete("page");
		assertThat(thread).succeedsWithin(SOON).asString().startsWith("parallel-");
	}

	@Test
	void aPageGoesWithoutWhatIsAway() {
		this.extra.completeExceptionally(new RedisConnectionException("made by a test"));
		this.own.complete("page");
		assertThat(this.both).isCompletedWithValue("page 0");
	}

	@Test
	void anErrorOfTheProgramIsNotHidden() {
		this.extra.completeExceptionally(new IllegalStateException("made by a test"));
		this.own.complete("page");
		assertThat(this.both).isCompletedExceptionally();
	}

	@Test
	void aPageThatCannotBeReadFails() {
		this.extra.complete(3L);
		this.own.completeExceptionally(new RedisConnectionException("made by a test"));
		assertThat(this.both).isCompletedExceptionally();
	}

	/** What a page with a number beside it shows. */
	private static Mono<String> page(Mono<String> own, Mono<Long> beside) {
		return BestEffortReads.zip(own, (reads) -> reads.read(beside, 0L), (content, number) -> content + " " + number);
	}

	@Test
	void bothAreZippedWhicheverComesFirst() {
		TestPublisher<String> late = TestPublisher.create();
		StepVerifier.create(page(late.mono(), Mono.just(3L)))
			.then(() -> late.emit("page"))
			.expectNext("page 3")
			.expectComplete()
			.verify(SOON);
	}

	@Test
	void aZippedPageDoesNotWaitForWhatComesTooLateAndCancelsIt() {
		TestPublisher<Long> never = TestPublisher.create();
		StepVerifier.create(page(Mono.just("page"), never.mono())).expectNext("page 0").expectComplete().verify(SOON);
		never.assertCancelled();
	}

	@Test
	void aZippedPageIsEmptyWhenOneOfTheTwoIs() {
		StepVerifier.create(page(Mono.empty(), Mono.just(3L))).expectComplete().verify(SOON);
		StepVerifier.create(page(Mono.just("page"), Mono.empty())).expectComplete().verify(SOON);
	}

	@Test
	void aZippedPageGoesWithoutWhatIsAwayAndHidesNoOtherError() {
		StepVerifier.create(page(Mono.just("page"), Mono.error(new RedisConnectionException("made by a test"))))
			.expectNext("page 0")
			.expectComplete()
			.verify(SOON);
		StepVerifier.create(page(Mono.just("page"), Mono.error(new IllegalStateException("made by a test"))))
			.expectError(IllegalStateException.class)
			.verify(SOON);
		StepVerifier.create(page(Mono.error(new RedisConnectionException("made by a test")), Mono.just(3L)))
			.expectError(RedisConnectionException.class)
			.verify(SOON);
	}

	@Test
	void whoCancelsAZippedPageCancelsBothReads() {
		TestPublisher<String> own = TestPublisher.create();
		TestPublisher<Long> beside = TestPublisher.create();
		StepVerifier.create(page(own.mono(), beside.mono()))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(10))
			.thenCancel()
			.verify(SOON);
		own.assertCancelled();
		beside.assertCancelled();
	}

}
