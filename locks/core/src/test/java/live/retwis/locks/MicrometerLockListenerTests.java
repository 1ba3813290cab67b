package live.retwis.locks;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metrics of locks over five healthy nodes.
 */
class MicrometerLockListenerTests extends FiveNodes {

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final MicrometerLockListener listener = new MicrometerLockListener(this.meters);

	private long attempts(String result) {
		return this.meters.get("retwis.locks.attempts").tag("result", result).timer().count();
	}

	private double up(int node) {
		return this.meters.get("retwis.locks.node.up").tag("node", this.nodes.name(node)).gauge().value();
	}

	@Test
	void countsAttemptsVotesExtensionsAndReleases() {
		RedLock locks = this.nodes.open(Engine.REDISSON, FenceRegister.NONE, this.listener);
		Lease lease = acquire(locks);
		assertThat(locks.tryAcquire(NAME, AT_ONCE).blockOptional(BOUND)).isEmpty();
		lease.extend().block(BOUND);
		lease.release().block(BOUND);
		assertThat(attempts("acquired")).isEqualTo(1);
		assertThat(attempts("taken")).isEqualTo(1);
		assertThat(attempts("no-quorum")).isZero();
		assertThat(this.meters.get("retwis.locks.votes")
			.tag("node", this.nodes.name(1))
			.tag("outcome", "acquired")
			.counter()
			.count()).isEqualTo(1);
		assertThat(this.meters.get("retwis.locks.extensions").tag("extended", "true").timer().count()).isEqualTo(1);
		assertThat(this.meters.get("retwis.locks.releases").timer().count()).isEqualTo(1);
		assertThat(this.meters.get("retwis.locks.expired").counter().count()).isZero();
	}

	@Test
	void locksThatAreOpenedAgainTakeThePlaceOfThoseThatAreClosed() {
		RedLock closed = this.nodes.open(Engine.REDISSON, FenceRegister.NONE, this.listener);
		this.listener.watch(closed);
		closed.close().block(BOUND);
		assertThat(up(1)).isZero();
		this.listener.watch(TestNodes.awaitAllUp(this.nodes.open(Engine.REDISSON, FenceRegister.NONE, this.listener)));
		assertThat(up(1)).isEqualTo(1);
	}

	@Test
	void showsWhichNodesCanVoteNow() {
		this.listener.watch(this.nodes.open(Engine.REDISSON, FenceRegister.NONE, this.listener));
		assertThat(up(1)).isEqualTo(1);
		assertThat(up(2)).isEqualTo(1);
		this.nodes.kill(2);
		TestNodes.await().until(() -> up(2) == 0);
		assertThat(up(1)).isEqualTo(1);
		assertThat(this.meters.get("retwis.locks.votes")
			.tag("node", this.nodes.name(2))
			.tag("outcome", "timeout")
			.counter()
			.count()).isZero();
	}

}
