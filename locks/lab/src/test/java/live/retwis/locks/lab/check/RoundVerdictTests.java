package live.retwis.locks.lab.check;

import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.history.RoundRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Safety, progress, recovery, and the ending of a round.
 */
class RoundVerdictTests {

	@Test
	void progressCountsOnlyLocksGrantedBeforeTheFaultsWereHealed() {
		assertThat(new Story().isRefused("A", 100).healed(200).acquires("A", "a", 300).verdict().progress())
			.isEqualTo(Liveness.NONE);
		assertThat(new Story().acquires("A", "a", 100).healed(200).verdict().progress()).isEqualTo(Liveness.ACQUIRED);
	}

	@Test
	void recoveryTakesALeaseAtMost() {
		assertThat(new Story().healed(0).isRefused("A", 500).acquires("A", "a", 900).verdict().recovered()).isTrue();
		assertThat(new Story().healed(0).acquires("A", "a", 1001).verdict().recovered()).isFalse();
		assertThat(new Story().healed(0).asks("A", 10).verdict().recovered()).isFalse();
		assertThat(new Story().healed(0).verdict().recovered()).isTrue();
	}

	@Test
	void anExpectedViolationIsAsDescribedAndNoViolationIsNot() {
		Story unsafe = new Story().acquires("A", "a", 0).acquires("B", "b", 100);
		Expectation violation = new Expectation(Safety.UNSAFE, null, Liveness.ACQUIRED);
		assertThat(RoundOutcome.of(unsafe.record(), violation)).isEqualTo(RoundOutcome.AS_DESCRIBED);
		assertThat(RoundOutcome.of(new Story().acquires("A", "a", 0).record(), violation))
			.isEqualTo(RoundOutcome.OTHERWISE);
	}

	@Test
	void aRoundWithoutTheIntendedSituationNeverPasses() {
		assertThat(RoundOutcome.of(new Story().misses("A has the lock").record(), Expectation.SHOWN))
			.isEqualTo(RoundOutcome.NOT_REPRODUCED);
	}

	@Test
	void aRoundThatFailedInTheLabItselfNeverPasses() {
		RoundRecord good = new Story().record();
		RoundRecord broken = new RoundRecord(good.scenario(), good.engine(), 1, 1, 1000, "no redis", good.events());
		assertThat(RoundOutcome.of(broken, Expectation.SHOWN)).isEqualTo(RoundOutcome.BROKEN);
	}

	@Test
	void aHistoryReadFromAFileHasTheSameVerdict() {
		Story story = new Story().acquires("A", "a", 0, 900)
			.acquires("B", "b", 400)
			.writes("a", 1, "written")
			.storeHolds(0, "")
			.healed(700)
			.acquires("B", "c", 800);
		RoundRecord again = HistoryJson.read(HistoryJson.line(story.record()), RoundRecord.class);
		assertThat(again).isEqualTo(story.record());
		assertThat(RoundVerdict.of(again)).isEqualTo(story.verdict());
	}

}
