package live.retwis.locks.lab.check;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Increments that are stored, lost, refused or unknown.
 */
class LostUpdateCheckerTests {

	private static void isSafe(Story story) {
		assertThat(LostUpdateChecker.violations(story.record()))
			.hasValueSatisfying((found) -> assertThat(found).isEmpty());
	}

	private static void isUnsafe(Story story) {
		assertThat(LostUpdateChecker.violations(story.record()))
			.hasValueSatisfying((found) -> assertThat(found).isNotEmpty());
	}

	@Test
	void saysNothingWithoutTheStore() {
		assertThat(LostUpdateChecker.violations(new Story().writes("a", 1, "written").record())).isEmpty();
	}

	@Test
	void acceptsAHistoryWithEveryIncrement() {
		isSafe(new Story().writes("a", 1, "written").writes("b", 2, "written").storeHolds(2, "a=1,b=2"));
	}

	@Test
	void twoWritesOfTheSameValueLoseAnIncrement() {
		isUnsafe(new Story().writes("a", 1, "written").writes("b", 1, "written").storeHolds(1, "b=1,a=1"));
	}

	@Test
	void aLostIncrementNamesTheClientThatWrote() {
		Story story = new Story().writes("A", "x", 1, "written")
			.writes("B", "y", 1, "written")
			.storeHolds(1, "x=1,y=1");
		assertThat(LostUpdateChecker.violations(story.record()).orElseThrow().get(0).what()).isEqualTo(
				"write 2 of the round, by B, made the counter 1: B had read the counter before write 1, by A, and"
						+ " replaced that");
	}

	@Test
	void writesThatBuildOnALostOneAreNotBlamed() {
		Story story = new Story().writes("A", "x", 1, "written")
			.writes("B", "y", 1, "written")
			.writes("C", "z", 2, "written")
			.storeHolds(2, "x=1,y=1,z=2");
		assertThat(LostUpdateChecker.violations(story.record()).orElseThrow()).extracting(LabViolation::key)
			.containsExactly("violation.replaced", "violation.number");
	}

	@Test
	void aWrongWriteIsFoundWhereItWasAnsweredAndAWrongSumAtTheEnd() {
		Story story = new Story().writes("a", 1, "written").writes("b", 1, "written").storeHolds(1, "a=1,b=1");
		assertThat(LostUpdateChecker.violations(story.record()).orElseThrow()).extracting(LabViolation::from)
			.containsExactly(11_000_000L, 5_000_000_000L);
	}

	@Test
	void aRefusedWriteIsNotALostIncrement() {
		isSafe(new Story().writes("a", 1, "refused").writes("b", 1, "written").storeHolds(1, "b=1"));
	}

	@Test
	void aRefusedWriteMustNotBeStored() {
		isUnsafe(new Story().writes("a", 1, "refused").storeHolds(1, "a=1"));
	}

	@Test
	void anAcknowledgedWriteMustBeStored() {
		isUnsafe(new Story().writes("a", 1, "written").storeHolds(0, ""));
	}

	@Test
	void aWriteWithoutAnAnswerMayBeStoredOrNot() {
		isSafe(new Story().writes("a", 1, "").storeHolds(1, "a=1"));
		isSafe(new Story().writes("a", 1, "").storeHolds(0, ""));
		isSafe(new Story().writes("a", 1, "error").storeHolds(1, "a=1"));
	}

	@Test
	void aWriteThatNobodyBeganMustNotBeStored() {
		isUnsafe(new Story().storeHolds(1, "x=1"));
	}

}
