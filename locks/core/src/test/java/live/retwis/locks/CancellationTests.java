package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.Interception;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A caller cancels, at each step. The lease is much longer than the test. So if a key is
 * gone, it was released.
 */
class CancellationTests extends FiveProxiedNodes {

	private final Sinks.Empty<Void> reached = Sinks.empty();

	private final Mono<Void> step = Mono.<Void>never().doOnSubscribe((subscription) -> this.reached.tryEmitEmpty());

	private void awaitFree(RedLock locks) {
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		locks.close().block(Duration.ofSeconds(4));
		assertThat(this.nodes.areFree(NAME)).isTrue();
	}

	private void cancelAtTheStep(RedLock locks, Mono<?> call) {
		StepVerifier.create(call).expectSubscription().then(() -> {
			this.reached.asMono().block(BOUND);
			assertThat(this.nodes.areFree(NAME)).isFalse();
		}).thenCancel().verify(BOUND);
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void atOnce(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		for (int times = 0; times < 20; times++) {
			locks.withLock(NAME, AT_ONCE, (lease) -> Mono.never()).subscribe().dispose();
			// On a busy machine the lease may arrive before the cancellation. Then the
			// caller has to release it.
			locks.tryAcquire(NAME, AT_ONCE).subscribe((lease) -> lease.release().subscribe()).dispose();
		}
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void beforeAnyNodeHasAnswered(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		List<Interception> held = this.proxied.each(ProxiedNodes.ACQUIRE, CommandFailpoint::holdCommand);
		Disposable withLock = locks.withLock(NAME, AT_ONCE, (lease) -> Mono.never()).subscribe();
		Disposable tryAcquire = locks.tryAcquire(NAME, AT_ONCE).subscribe();
		held.get(0).awaitMet();
		withLock.dispose();
		tryAcquire.dispose();
		held.forEach(Interception::close);
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void whileTheNodesHoldItAndTheirAnswersAreOnTheWay(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		List<Interception> held = this.proxied.each(ProxiedNodes.ACQUIRE, CommandFailpoint::holdReply);
		Disposable withLock = locks.withLock(NAME, AT_ONCE, (lease) -> Mono.never()).subscribe();
		held.get(0).awaitMet();
		assertThat(this.nodes.owner(1, NAME)).isNotEmpty();
		withLock.dispose();
		held.forEach(Interception::close);
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void duringTheClaim(Engine engine) {
		RedLock locks = open(engine, PATIENT, TestFences.claiming((lease) -> this.step));
		cancelAtTheStep(locks, locks.withLock(NAME, AT_ONCE, (lease) -> Mono.never()));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void duringTheClaimOfASingleTry(Engine engine) {
		RedLock locks = open(engine, PATIENT, TestFences.claiming((lease) -> this.step));
		cancelAtTheStep(locks, locks.tryAcquire(NAME, AT_ONCE));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void duringTheBody(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		cancelAtTheStep(locks, locks.withLock(NAME, AT_ONCE, (lease) -> this.step));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void duringTheRelease(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		List<Interception> held = this.proxied.each(ProxiedNodes.RELEASE, CommandFailpoint::holdCommand);
		Disposable withLock = locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just("done")).subscribe();
		held.get(0).awaitMet();
		withLock.dispose();
		assertThat(this.nodes.areFree(NAME)).isFalse();
		held.forEach(Interception::close);
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void whileItWaitsForAnother(Engine engine) {
		RecordingListener heard = new RecordingListener();
		RedLock locks = this.nodes.open(engine, FenceRegister.NONE, heard);
		Lease lease = acquire(locks);
		Disposable waiting = locks.withLock(NAME, LockOptions.of(LEASE, BOUND), (next) -> Mono.never()).subscribe();
		TestNodes.await().until(() -> heard.attempts.size() >= 3);
		waiting.dispose();
		lease.release().block(BOUND);
		awaitFree(locks);
	}

	/**
	 * A subscriber marks itself as cancelled, and its thread stands still. Meanwhile the
	 * lease arrives and is dropped, and the completion as well. Then the cancellation
	 * arrives.
	 */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void afterTheLeaseWasDropped(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		AtomicReference<@Nullable Subscription> subscribed = new AtomicReference<>();
		Sinks.Empty<Void> dropped = Sinks.empty();
		locks.tryAcquire(NAME, AT_ONCE).subscribe(new CoreSubscriber<>() {

			@Override
			public void onSubscribe(Subscription subscription) {
				subscribed.set(subscription);
				subscription.request(1);
			}

			@Override
			public void onNext(Lease lease) {
				// A cancelled subscriber drops it.
			}

			@Override
			public void onError(Throwable error) {
				dropped.tryEmitError(error);
			}

			@Override
			public void onComplete() {
				dropped.tryEmitEmpty();
			}

		});
		dropped.asMono().block(BOUND);
		assertThat(this.nodes.areFree(NAME)).isFalse();
		Objects.requireNonNull(subscribed.get()).cancel();
		awaitFree(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aCallerThatTakesTheFirstLeaseKeepsIt(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		Lease lease = locks.tryAcquire(NAME, AT_ONCE).flux().next().blockOptional(BOUND).orElseThrow();
		lease.extend().block(BOUND);
		assertThat(lease.remaining()).isPositive();
		lease.release().block(BOUND);
		awaitFree(locks);
	}

	/**
	 * The caller has given up in that moment: it cancels, and ignores the lease that
	 * arrives.
	 */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void whileTheLeaseIsHandedOver(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		BaseSubscriber<Lease> goneAway = new BaseSubscriber<>() {
			@Override
			protected void hookOnNext(Lease dropped) {
				CompletableFuture.runAsync(this::cancel).orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
				CancellationTests.this.reached.tryEmitEmpty();
			}
		};
		locks.tryAcquire(NAME, LockOptions.of(Duration.ofMinutes(1), Duration.ZERO)).subscribe(goneAway);
		this.reached.asMono().block(BOUND);
		awaitFree(locks);
	}

}
