package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More callers than may ask the nodes at once. All of them are held up: the nodes have
 * taken the keys, but their answers are held.
 */
class BusyClientTests extends FiveProxiedNodes {

	private static final String BUSY = "busy:";

	private static final int AT_ONCE_UNDER_WAY = new ParallelVotingStrategy()
		.busyRounds(Math.min(5, Runtime.getRuntime().availableProcessors()));

	/**
	 * Acquisitions by the busy callers. Other acquisitions are excluded, because their
	 * last answers may still be on the way.
	 */
	private static final Predicate<SentCommand> OF_THE_BUSY = ProxiedNodes.ACQUIRE.and(SentCommand.containing(BUSY));

	private static final LockOptions WAITING = LockOptions.of(LEASE, BOUND);

	private RedLock locks;

	private Lease held;

	private Interception asked;

	private List<Interception> answers;

	private List<Disposable> callers;

	@BeforeEach
	void beBusy() {
		this.locks = open(Engine.PARALLEL, PATIENT);
		this.held = acquire(this.locks);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		this.asked = this.proxied.proxy(1).at(OF_THE_BUSY).watch();
		this.answers = this.proxied.each(OF_THE_BUSY, CommandFailpoint::holdReply);
		this.callers = IntStream.range(0, 3 * AT_ONCE_UNDER_WAY)
			.mapToObj((number) -> this.locks.withLock(BUSY + number, WAITING, (lease) -> Mono.never()).subscribe())
			.toList();
		this.asked.awaitMet(AT_ONCE_UNDER_WAY);
	}

	@AfterEach
	void letGo() {
		this.callers.forEach(Disposable::dispose);
		this.answers.forEach(Interception::close);
	}

	@Test
	void aReleaseDoesNotWaitForBusyCallers() {
		this.held.release().subscribe();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		assertThat(this.asked.met()).isEqualTo(AT_ONCE_UNDER_WAY);
	}

	@Test
	void everyCallerHasItsTurn() {
		assertThat(this.asked.met()).isEqualTo(AT_ONCE_UNDER_WAY);
		this.answers.forEach(Interception::close);
		TestNodes.await()
			.until(() -> IntStream.range(0, this.callers.size())
				.allMatch((number) -> this.nodes.owners(BUSY + number).stream().noneMatch(String::isEmpty)));
	}

	@Test
	void aCallerThatCancelsBeforeItsTurnSendsNothing() {
		this.callers.subList(AT_ONCE_UNDER_WAY, this.callers.size()).forEach(Disposable::dispose);
		this.answers.forEach(Interception::close);
		assertThat(this.locks.tryAcquire("another", AT_ONCE).blockOptional(BOUND)).isPresent();
		TestNodes.await().untilAsserted(() -> assertThat(this.nodes.owners("another")).doesNotContain(""));
		assertThat(this.asked.met()).isEqualTo(AT_ONCE_UNDER_WAY);
	}

	@Test
	void theTimeUntilTheTurnCountsAsWaiting() {
		Duration wait = Duration.ofMillis(300);
		Duration elapsed = StepVerifier
			.create(this.locks.withLock("late", LockOptions.of(LEASE, wait), (lease) -> Mono.just("never")))
			.expectError(NoQuorum.class)
			.verify(BOUND);
		assertThat(elapsed).isBetween(wait.dividedBy(2), PATIENT.dividedBy(2));
		assertThat(this.nodes.owners("late")).containsOnly("");
	}

}
