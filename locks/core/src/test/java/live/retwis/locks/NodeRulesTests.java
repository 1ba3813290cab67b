package live.retwis.locks;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.NodeState.Health;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes that can be reached but must not vote.
 */
class NodeRulesTests extends FiveNodes {

	private RedLock open(List<String> uris) {
		return this.nodes.open(new LockSettings(uris, TestNodes.NODE_TIMEOUT, Engine.PARALLEL), FenceRegister.NONE,
				LockListener.NONE, TimeSource.SYSTEM);
	}

	private static void isReadyAndLocks(RedLock locks) {
		locks.ready().block(BOUND);
		TestNodes.awaitAllUp(locks);
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just(1))).expectNext(1).verifyComplete();
	}

	private static void awaitHealth(RedLock locks, int number, Health health) {
		TestNodes.await().until(() -> locks.nodes().get(number - 1).health() == health);
	}

	private static void isWrong(RedLock locks, int number, String reason) {
		awaitHealth(locks, number, Health.WRONG);
		StepVerifier.create(locks.ready())
			.verifyErrorSatisfies((error) -> assertThat(error).isInstanceOf(IneligibleNodesException.class)
				.hasMessageContaining(reason));
		assertThat(locks.nodes().get(number - 1).reason()).contains(reason);
	}

	@Test
	void aReplicaMustNotVote() {
		isReadyAndLocks(open(this.nodes.uris()));
		this.nodes.ask(2, "REPLICAOF 127.0.0.1 " + this.nodes.node(1).port());
		try {
			isWrong(open(this.nodes.uris()), 2, "is a replica");
		}
		finally {
			this.nodes.ask(2, "REPLICAOF NO ONE");
		}
	}

	@Test
	void aNodeThatEvictsKeysMustNotVote() {
		isReadyAndLocks(open(this.nodes.uris()));
		this.nodes.ask(3, "CONFIG SET maxmemory-policy allkeys-lru");
		try {
			isWrong(open(this.nodes.uris()), 3, "has maxmemory-policy allkeys-lru");
		}
		finally {
			this.nodes.ask(3, "CONFIG SET maxmemory-policy noeviction");
		}
	}

	@Test
	void oneServerUnderTwoNamesHasOneVote() {
		isReadyAndLocks(open(this.nodes.uris()));
		List<String> uris = new ArrayList<>(this.nodes.uris());
		uris.set(4, "redis://localhost:" + this.nodes.node(2).port());
		RedLock locks = open(uris);
		isWrong(locks, 5, "is the same server as " + this.nodes.name(2));
		awaitHealth(locks, 2, Health.UP);
		Lease lease = acquire(locks);
		assertThat(List.copyOf(lease.outcomes().values()).get(4)).isEqualTo(NodeOutcome.REFUSED);
	}

	@Test
	void logsInAndNeverShowsThePassword() {
		try (TestNodes locked = TestNodes.start(1, "requirepass secret")) {
			List<String> uris = new ArrayList<>(this.nodes.uris());
			uris.set(0, locked.uris().get(0));
			isReadyAndLocks(open(uris));
			uris.set(0, locked.uris().get(0).replace("secret", "hidden"));
			RedLock locks = open(uris);
			locks.ready().block(BOUND);
			TestNodes.await().untilAsserted(() -> assertThat(locks.nodes().get(0).reason()).contains("WRONGPASS"));
			assertThat(locks.nodes().get(0).health()).isEqualTo(Health.NOT_REACHED);
			assertThat(locks.nodes().toString()).doesNotContain("secret", "hidden");
		}
	}

	@Test
	void isReadyWithoutANodeThatCannotBeReached() {
		this.nodes.kill(1, 2, 3);
		RedLock locks = open(this.nodes.uris());
		locks.ready().block(BOUND);
		awaitHealth(locks, 4, Health.UP);
		awaitHealth(locks, 5, Health.UP);
		assertThat(locks.nodes().get(0).reason()).isEqualTo("cannot be reached");
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE)).verifyError(NoQuorum.class);
	}

}
