package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.Interception;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a release is over, and what it leaves behind.
 */
class ReleaseTests extends FiveProxiedNodes {

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatWasNeverAskedDoesNotCountAsAnAnswer(Engine engine) {
		CompletableFuture<Integer> answered = new CompletableFuture<>();
		RedLock locks = open(engine, PATIENT, FenceRegister.NONE, new LockListener() {
			@Override
			public void onRelease(String resource, int nodes, Duration elapsed) {
				answered.complete(nodes);
			}
		});
		this.proxied.proxy(1).cut();
		this.proxied.proxy(2).cut();
		TestNodes.await().until(() -> locks.nodes().stream().filter(NodeState::isUp).count() == 3);
		Lease lease = acquire(locks);
		List<Interception> held = Stream.of(4, 5)
			.map((number) -> this.proxied.proxy(number).at(ProxiedNodes.RELEASE).holdCommand())
			.toList();
		Mono<Void> released = lease.release().cache();
		released.subscribe();
		held.forEach(Interception::awaitMet);
		TestNodes.await().until(() -> this.nodes.owner(3, NAME).isEmpty());
		// The answer to the release comes before the answer to a later command.
		locks.tryAcquire("another", AT_ONCE).onErrorComplete().subscribe();
		TestNodes.await().until(() -> !this.nodes.owner(3, "another").isEmpty());
		assertThat(answered).isNotDone();
		held.get(0).close();
		released.block(BOUND);
		assertThat(answered).isCompletedWithValue(2);
		held.get(1).close();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void nothingIsLeftOfAReleasedLease(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		Lease lease = acquire(locks);
		assertThat(lease.remaining()).isPositive();
		List<Interception> held = this.proxied.each(ProxiedNodes.RELEASE, (spot) -> spot.holdCommand());
		Mono<Void> released = lease.release().cache();
		released.subscribe();
		assertThat(lease.remaining()).isZero();
		held.forEach(Interception::close);
		released.block(BOUND);
		assertThat(lease.remaining()).isZero();
	}

}
