package live.retwis.locks;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnacknowledgedReleasesTests {

	private final TestTime time = new TestTime();

	private final UnacknowledgedReleases pending = new UnacknowledgedReleases(this.time);

	private CandidateOwner candidate(String owner) {
		CandidateOwner candidate = new CandidateOwner("user:{1}", owner, 1000, this.time);
		candidate.withdraw();
		return candidate;
	}

	@Test
	void keepsReleasesOfRunningLeasesInTheirOrder() {
		CandidateOwner lapsed = candidate("lapsed");
		this.pending.add(lapsed);
		this.time.pass(Duration.ofMillis(600));
		CandidateOwner first = candidate("first");
		CandidateOwner second = candidate("second");
		this.pending.add(first);
		this.pending.add(second);
		this.time.pass(Duration.ofMillis(600));
		assertThat(this.pending.drain()).containsExactly(first, second);
		assertThat(this.pending.drain()).isEmpty();
	}

	@Test
	void aReleaseThatKeepsFailingIsDroppedAfterALease() {
		CandidateOwner owed = candidate("owed");
		this.pending.add(owed);
		this.time.pass(Duration.ofMillis(600));
		assertThat(this.pending.drain()).containsExactly(owed);
		this.pending.add(owed);
		this.time.pass(Duration.ofMillis(600));
		assertThat(this.pending.drain()).isEmpty();
	}

	@Test
	void aWallClockThatIsSetAheadDropsNoRelease() {
		CandidateOwner owed = candidate("owed");
		this.pending.add(owed);
		this.time.wallClockIsSet(Duration.ofHours(1));
		assertThat(this.pending.drain()).containsExactly(owed);
	}

	@Test
	void dropsTheOldestReleasesBeyondItsBound() {
		CandidateOwner oldest = candidate("oldest");
		this.pending.add(oldest);
		for (int count = 0; count < UnacknowledgedReleases.BOUND; count++) {
			this.pending.add(candidate("later"));
		}
		assertThat(this.pending.drain()).hasSize(UnacknowledgedReleases.BOUND).doesNotContain(oldest);
		assertThat(this.pending.takeLost()).isOne();
		assertThat(this.pending.takeLost()).isZero();
	}

}
