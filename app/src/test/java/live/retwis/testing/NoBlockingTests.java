package live.retwis.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which calls BlockHound reports and which it does not. */
class NoBlockingTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Scheduler eventLoop = Schedulers.newSingle("watched");

	@AfterEach
	void dispose() {
		this.eventLoop.dispose();
	}

	@Test
	void waitingOnAnEventLoopIsFound() {
		CountDownLatch never = new CountDownLatch(1);
		Mono<Boolean> waiting = Mono.fromCallable(() -> never.await(1, TimeUnit.SECONDS));
		StepVerifier.create(waiting.subscribeOn(this.eventLoop))
			.expectError(BlockingOperationError.class)
			.verify(BOUND);
	}

	@Test
	void twoThreadsThatMeetAtALockAreNotFound() {
		ReentrantLock lock = new ReentrantLock();
		lock.lock();
		Mono<String> meeting = Mono.fromCallable(() -> {
			lock.lock();
			lock.unlock();
			return "has had the lock";
		});
		StepVerifier.create(meeting.subscribeOn(this.eventLoop)).then(() -> {
			Awaitility.await().atMost(BOUND).until(lock::hasQueuedThreads);
			lock.unlock();
		}).expectNext("has had the lock").expectComplete().verify(BOUND);
		assertThat(lock.isLocked()).isFalse();
	}

}
