package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.Interception;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Votes that arrive late or never, and how RedissonRedLock handles them.
 */
class LateVotesTests extends FiveProxiedNodes {

	private static final LockOptions BRIEF = LockOptions.of(Duration.ofMillis(500), Duration.ZERO);

	@Test
	@Tag("slow")
	@Tag("long")
	void redissonGrantsTheLockWithoutAnyKeyWhenANodeIsPaused() throws Exception {
		Duration lease = Duration.ofSeconds(1);
		try (RawRedLock raw = new RawRedLock(this.nodes)) {
			assertThat(raw.tryLock(NAME, lease)).isTrue();
			assertThat(this.nodes.owners(NAME)).doesNotContain("");
			TestNodes.await().until(() -> this.nodes.areFree(NAME));
			this.nodes.pause(5);
			assertThat(raw.tryLock(NAME, lease)).isTrue();
			assertThat(holders("")).isEqualTo(4);
			this.nodes.resume(5);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLeaseHasItsKeysWhenANodeIsPaused(Engine engine) {
		LockOptions options = LockOptions.of(Duration.ofSeconds(5), Duration.ZERO);
		RedLock locks = this.nodes.open(engine);
		acquire(locks, options).release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		this.nodes.pause(5);
		Lease lease = acquire(locks, options);
		assertThat(holders(lease.owner())).isGreaterThanOrEqualTo(3);
		assertThat(lease.remaining()).isPositive();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLeaseHasAMajorityEvenIfANodeWasSlowerThanTheLease(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		acquire(locks).release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		Interception late = this.proxied.proxy(3).at(ProxiedNodes.ACQUIRE).holdCommand();
		Mono<Lease> answer = answer(locks);
		late.awaitMet();
		if (engine == Engine.REDISSON) {
			awaitExpiry();
			late.close();
		}
		Lease lease = answer.blockOptional(BOUND).orElseThrow();
		assertThat(this.nodes.owners(NAME)).filteredOn(lease.owner()::equals).hasSizeGreaterThanOrEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLockIsRefusedWhenTheVotesArriveAfterTheLease(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		acquire(locks).release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		List<Interception> late = Stream.of(3, 4, 5)
			.map((number) -> this.proxied.proxy(number).at(ProxiedNodes.ACQUIRE).holdCommand())
			.toList();
		Mono<Lease> answer = answer(locks);
		late.get(0).awaitMet();
		TestNodes.await().until(() -> holders("") == 2);
		if (engine == Engine.REDISSON) {
			awaitExpiry();
			late.get(0).close();
		}
		late.forEach(Interception::awaitMet);
		awaitExpiry();
		late.forEach(Interception::close);
		assertThat(answer.blockOptional(BOUND)).isEmpty();
	}

	/** The lease; empty when the lock is refused for whatever reason. */
	private static Mono<Lease> answer(RedLock locks) {
		Mono<Lease> answer = locks.tryAcquire(NAME, BRIEF)
			.onErrorResume(NoQuorum.class, (none) -> Mono.empty())
			.cache();
		answer.subscribe();
		return answer;
	}

	private void awaitExpiry() {
		TestNodes.await().until(() -> holders("") == 4);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aMajorityDoesNotWaitForOtherNodes(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		List<Interception> late = List.of(this.proxied.proxy(4).at(ProxiedNodes.ACQUIRE).holdCommand(),
				this.proxied.proxy(5).at(ProxiedNodes.ACQUIRE).holdCommand());
		Lease lease = acquire(locks);
		late.forEach(Interception::awaitMet);
		assertThat(this.nodes.owners(NAME)).containsExactly(lease.owner(), lease.owner(), lease.owner(), "", "");
		late.forEach(Interception::close);
		TestNodes.await().until(() -> lease.outcomes().values().stream().allMatch(NodeOutcome.ACQUIRED::equals));
		lease.release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@Test
	void lateVotesAreNotWaitedForAndLeaveNothingBehind() {
		RedLock locks = open(Engine.REDISSON, PATIENT);
		List<Interception> late = List.of(this.proxied.proxy(1).at(ProxiedNodes.EXTEND).holdCommand(),
				this.proxied.proxy(4).at(ProxiedNodes.EXTEND).holdCommand());
		Lease lease = acquire(locks);
		late.forEach(Interception::awaitMet);
		assertThat(late).allMatch((held) -> held.met() == 1);
		assertThat(lease.remaining()).isPositive();
		lease.release().block(BOUND);
		late.forEach(Interception::close);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@Test
	void twoVotesOfFiveAreNotEnoughEvenIfMoreNodesHaveTheKey() {
		RedLock locks = open(Engine.REDISSON, LockSettings.NODE_TIMEOUT);
		List.of(1, 3, 4).forEach((number) -> this.proxied.proxy(number).at(ProxiedNodes.EXTEND).holdCommand());
		StepVerifier.create(locks.tryAcquire(NAME, BRIEF)).expectError(NoQuorum.class).verify(BOUND);
		heal();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

}
