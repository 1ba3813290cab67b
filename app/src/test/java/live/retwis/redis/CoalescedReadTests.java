package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class CoalescedReadTests {

	/** The reads that have begun, in their order. */
	private final List<CompletableFuture<String>> reads = new ArrayList<>();

	private final CoalescedRead<String> shared = new CoalescedRead<>(Mono.fromFuture(() -> {
		CompletableFuture<String> read = new CompletableFuture<>();
		this.reads.add(read);
		return read;
	}));

	private CompletableFuture<String> ask() {
		return this.shared.get().toFuture();
	}

	@Test
	void readsNothingBeforeTheFirstRequest() {
		Mono<String> unasked = this.shared.get();
		assertThat(this.reads).isEmpty();
		unasked.subscribe();
		assertThat(this.reads).hasSize(1);
	}

	@Test
	void requestsDuringAReadShareTheNextOne() {
		CompletableFuture<String> first = ask();
		CompletableFuture<String> second = ask();
		CompletableFuture<String> third = ask();
		assertThat(this.reads).hasSize(1);
		this.reads.get(0).complete("early");
		assertThat(first).isCompletedWithValue("early");
		assertThat(second).isNotDone();
		assertThat(this.reads).hasSize(2);
		this.reads.get(1).complete("late");
		assertThat(second).isCompletedWithValue("late");
		assertThat(third).isCompletedWithValue("late");
		assertThat(this.reads).hasSize(2);
	}

	@Test
	void theNextReadBeginsBeforeTheAnswerIsPassedOn() {
		List<Integer> begun = new ArrayList<>();
		this.shared.get().subscribe((answer) -> begun.add(this.reads.size()));
		ask();
		this.reads.get(0).complete("early");
		assertThat(begun).containsExactly(2);
	}

	@Test
	void aRequestWhenNoReadIsRunningReadsAgain() {
		StepVerifier.create(this.shared.get())
			.then(() -> this.reads.get(0).complete("one"))
			.expectNext("one")
			.verifyComplete();
		StepVerifier.create(this.shared.get())
			.then(() -> this.reads.get(1).complete("two"))
			.expectNext("two")
			.verifyComplete();
	}

	@Test
	void aFailedReadFailsOnlyForTheRequestsThatSharedIt() {
		List<CompletableFuture<String>> second = new ArrayList<>();
		StepVerifier.create(this.shared.get()).then(() -> {
			second.add(ask());
			this.reads.get(0).completeExceptionally(new IllegalStateException("away"));
		}).verifyErrorMessage("away");
		assertThat(second.get(0)).isNotDone();
		this.reads.get(1).complete("back");
		assertThat(second.get(0)).isCompletedWithValue("back");
	}

	@Test
	void aCancelledRequestDoesNotCancelTheSharedRead() {
		ask();
		StepVerifier.create(this.shared.get()).thenCancel().verify();
		CompletableFuture<String> stays = ask();
		this.reads.get(0).complete("early");
		assertThat(this.reads.get(1)).isNotCancelled();
		this.reads.get(1).complete("late");
		assertThat(stays).isCompletedWithValue("late");
	}

	@Test
	void anEmptyReadIsAnEmptyAnswer() {
		StepVerifier.create(this.shared.get()).then(() -> this.reads.get(0).complete(null)).verifyComplete();
	}

}
