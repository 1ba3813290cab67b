package live.retwis.doctor;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExaminationCountsTests {

	private final ExaminationCounts counts = new ExaminationCounts();

	@Test
	void reportsProgressAtRoundNumbersOfKeys() {
		assertThat(this.counts.addKeys(600, 1000)).isFalse();
		assertThat(this.counts.addKeys(500, 1000)).isTrue();
		assertThat(this.counts.keys()).isEqualTo("1,100 keys");
		assertThat(this.counts.addKeys(899, 1000)).isFalse();
		assertThat(this.counts.addKeys(1, 1000)).isTrue();
	}

	@Test
	void endsWithASummary() {
		Finding finding = Finding.byHand("key", "is wrong", "mend it");
		this.counts.found(finding, true);
		assertThat(this.counts.summary()).isEqualTo("Checked 0 keys: 1 violation, 1 fixed.");
		this.counts.found(finding, false);
		this.counts.found(finding.asLeftover(), false);
		this.counts.found(finding.asLeftover(), true);
		assertThat(this.counts.summary())
			.isEqualTo("Checked 0 keys: 2 violations, 1 fixed. Found 2 ended sessions; --fix removes them.");
	}

}
