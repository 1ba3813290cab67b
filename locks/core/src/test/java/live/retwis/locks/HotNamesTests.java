package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.Interception;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A name that is locked again and again while one node is slow but healthy.
 */
class HotNamesTests extends FiveProxiedNodes {

	private static final LockOptions WAITING = LockOptions.of(LEASE, PATIENT);

	private static final int CYCLES = 300;

	/**
	 * Commands that may still be running after a cycle: its own releases, and a few more.
	 */
	private static final int FEW = 64;

	private static void cycle(RedLock locks) {
		locks.withLock(NAME, WAITING, (lease) -> Mono.just("done")).block(BOUND);
	}

	static Stream<Arguments> commandsDoNotPileUpAtASlowNode() {
		return Stream.of(Engine.values())
			.flatMap((engine) -> Stream.of(5, 30, 300).map((millis) -> Arguments.of(engine, millis)));
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@MethodSource
	void commandsDoNotPileUpAtASlowNode(Engine engine, int millis) {
		MajorityRedLock locks = (MajorityRedLock) open(engine, TestNodes.NODE_TIMEOUT);
		FaultHandle slow = this.proxied.proxy(5).delay(Duration.ofMillis(millis));
		for (int count = 0; count < CYCLES; count++) {
			cycle(locks);
		}
		assertThat(locks.unfinished()).isLessThan(FEW);
		List<FaultHandle> dead = List.of(this.proxied.proxy(1).cut(), this.proxied.proxy(2).cut());
		TestNodes.await().until(() -> locks.nodes().stream().filter(NodeState::isUp).count() == 3);
		long start = System.nanoTime();
		cycle(locks);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WAITING.waitTime());
		TestNodes.await().until(() -> locks.unfinished() == 0);
		slow.close();
		dead.forEach(FaultHandle::close);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aRefusalComesAfterTheWaitHoweverSlowTheNodesAre(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		List<Interception> held = this.proxied.each(ProxiedNodes.ACQUIRE, CommandFailpoint::holdCommand);
		Duration elapsed = StepVerifier
			.create(locks.withLock(NAME, LockOptions.of(LEASE, Duration.ofMillis(300)), (lease) -> Mono.just("never")))
			.expectError(NoQuorum.class)
			.verify(BOUND);
		assertThat(elapsed).isLessThan(PATIENT.dividedBy(2));
		held.forEach(Interception::close);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

}
