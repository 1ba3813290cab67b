package live.retwis.locks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Who has a lease when its caller cancels. All happens on one thread. */
class HandOverTests {

	private static final LockOptions OPTIONS = LockOptions.of(Duration.ofSeconds(10), Duration.ZERO);

	private static final Duration SOON = Duration.ofSeconds(1);

	private final SimulatedTime time = new SimulatedTime(false);

	private final Random random = new Random(1);

	private final List<SimulatedLockNode> lockNodes = IntStream.rangeClosed(1, 3)
		.mapToObj((number) -> new SimulatedLockNode("node:" + number, this.time, 1000))
		.toList();

	private final MajorityRedLock locks = new SimulatedClient(this.time,
			this.lockNodes.stream().map((node) -> new SimulatedLink("client", this.time, node, this.random)).toList(),
			Engine.PARALLEL, new SimulatedStore(this.time, this.random), (environment) -> Ballot::new, this.random)
		.locks();

	private final List<Lease> leases = new ArrayList<>();

	private Lease lease() {
		this.time.pass(SOON);
		assertThat(this.leases).hasSize(1);
		return this.leases.get(0);
	}

	@Test
	void aCallerThatCancelsWhenItHasTheLeaseKeepsIt() {
		this.locks.tryAcquire("name", OPTIONS).flux().next().subscribe(this.leases::add);
		assertThat(lease().remaining()).isPositive();
	}

	@Test
	void aCallerThatCancelsLaterGivesTheLeaseBack() {
		Disposable caller = this.locks.tryAcquire("name", OPTIONS).flatMap((lease) -> {
			this.leases.add(lease);
			return Mono.never();
		}).subscribe();
		assertThat(lease().remaining()).isPositive();
		caller.dispose();
		assertThat(lease().remaining()).isZero();
	}

}
