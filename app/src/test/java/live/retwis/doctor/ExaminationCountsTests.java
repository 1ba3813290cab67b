package live.retwis.doctor;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExaminationCountsTests {

	private final ExaminationCounts tally = new ExaminationCounts();

	@Test
	void reportsProgressAtRoundNumbersOfKeys() {
		assertThat(this.tally.looked(600, 1000)).isFalse();
		assertThat(this.tally.looked(500, 1000)).isTrue();
		assertThat(this.tally.looked()).isEqualTo("1,100 keys");
		assertThat(this.tally.looked(899, 1000)).isFalse();
		assertThat(this.tally.looked(1, 1000)).isTrue();
	}

	@Test
	void endsWithASummary() {
		Finding finding = Finding.byHand("key", "is wrong", "mend it");
		this.tally.found(finding, true);
		assertThat(this.tally.summary()).isEqualTo("Looked at 0 keys: 1 violation, 1 fixed.");
		this.tally.found(finding, false);
		this.tally.found(finding.asLeftover(), false);
		this.tally.found(finding.asLeftover(), true);
		assertThat(this.tally.summary())
			.isEqualTo("Looked at 0 keys: 2 violations, 1 fixed. 2 sessions of log-outs past; --fix removes them.");
	}

}
