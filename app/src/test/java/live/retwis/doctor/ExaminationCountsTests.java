package live.retwis.doctor;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExaminationCountsTests {

	private final ExaminationCounts counts = new ExaminationCounts();

	@Test
	void reportsProgressAtRoundNumbersOfKeys() {
		assertThat(this.counts.add(keys(600), 1000)).isFalse();
		assertThat(this.counts.add(keys(500), 1000)).isTrue();
		assertThat(this.counts.checked()).isEqualTo("1,100 keys");
		assertThat(this.counts.add(keys(899), 1000)).isFalse();
		assertThat(this.counts.add(keys(1), 1000)).isTrue();
	}

	private static List<String> keys(int count) {
		return Collections.nCopies(count, "key");
	}

	@Test
	void countsAuthorsInTheArchiveApartFromKeys() {
		this.counts.add(List.of("key", ArchiveReader.POSTS_OF + "0A"), 1000);
		assertThat(this.counts.summary()).isEqualTo("Checked 1 key and 1 author in the archive: every rule holds.");
		this.counts.add(List.of(ArchiveReader.POSTS_OF + "0B"), 1000);
		assertThat(this.counts.checked()).isEqualTo("1 key and 2 authors in the archive");
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
