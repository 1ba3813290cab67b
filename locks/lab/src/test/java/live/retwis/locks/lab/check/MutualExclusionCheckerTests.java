package live.retwis.locks.lab.check;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who could rely on the lock, and when.
 */
class MutualExclusionCheckerTests {

	private static void isSafe(Story story) {
		assertThat(MutualExclusionChecker.violations(story.record())).isEmpty();
	}

	private static void isUnsafe(Story story) {
		assertThat(MutualExclusionChecker.violations(story.record())).isNotEmpty();
	}

	@Test
	void ownersOneAfterTheOtherAreSafe() {
		isSafe(new Story().acquires("A", "a", 0).releases("A", "a", 100).acquires("B", "b", 101));
	}

	@Test
	void twoOwnersAtATimeAreAViolation() {
		Story story = new Story().acquires("A", "a", 0).acquires("B", "b", 400);
		assertThat(MutualExclusionChecker.violations(story.record())).singleElement().satisfies((violation) -> {
			assertThat(violation.what()).isEqualTo("A and B both had the lock for 600 ms");
			assertThat(violation.from()).isEqualTo(400_000_000);
			assertThat(violation.until()).isEqualTo(1_000_000_000);
		});
	}

	@Test
	void oneClientThatHasTheLockTwiceIsTwoOwners() {
		isUnsafe(new Story().acquires("A", "a1", 0).acquires("A", "a2", 100));
	}

	@Test
	void aClaimEndsWithItsValidity() {
		isSafe(new Story().acquires("A", "a", 0, 300).acquires("B", "b", 300));
		isUnsafe(new Story().acquires("A", "a", 0, 500).acquires("B", "b", 300));
	}

	@Test
	void aClaimWithoutValidityLastsForALeaseAfterItsReturn() {
		isUnsafe(new Story().acquires("A", "a", 0).acquires("B", "b", 899));
		isSafe(new Story().acquires("A", "a", 0).acquires("B", "b", 1000));
	}

	@Test
	void everyOverlapCountsIfTheEngineReportsTheValidity() {
		isSafe(new Story().acquires("A", "a", 0, 990).acquires("B", "b", 990, 1980));
		isUnsafe(new Story().acquires("A", "a", 0, 991).acquires("B", "b", 990, 1980));
	}

	@Test
	void aSmallOverlapDoesNotCountIfTheEngineReportsNoValidity() {
		isSafe(new Story().acquires("A", "a", 0).acquires("B", "b", 901));
		isUnsafe(new Story().acquires("A", "a", 0).acquires("B", "b", 900));
	}

	@Test
	void anAcquisitionWithoutAReturnClaimsNothing() {
		isSafe(new Story().acquires("A", "a", 0).asks("B", 100));
	}

	@Test
	void aReleaseEndsTheClaimWhenItBeginsWhetherOrNotItIsAnswered() {
		isSafe(new Story().acquires("A", "a", 0).releases("A", "a", 50).acquires("B", "b", 60));
	}

	@Test
	void theClaimOfADeadClientEndsWithIt() {
		isSafe(new Story().acquires("A", "a", 0).dies("A", 100).acquires("B", "b", 101));
		isUnsafe(new Story().acquires("A", "a", 0).dies("C", 100).acquires("B", "b", 101));
	}

	@Test
	void anExtensionProlongsTheClaim() {
		isUnsafe(new Story().acquires("A", "a", 0, 500).prolongs("A", "a", 400, 1400).acquires("B", "b", 600));
	}

	@Test
	void anExtensionAfterTheEndDoesNotClaimTheTimeBetween() {
		isSafe(new Story().acquires("A", "a", 0, 100).acquires("B", "b", 150, 400).prolongs("A", "a", 500, 900));
	}

	@Test
	void anExtensionAnsweredAfterTheReleaseClaimsNothing() {
		isSafe(new Story().acquires("A", "a", 0)
			.releases("A", "a", 100)
			.prolongs("A", "a", 200, 1200)
			.acquires("B", "b", 210));
	}

}
