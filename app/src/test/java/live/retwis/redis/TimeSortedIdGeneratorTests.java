package live.retwis.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TimeSortedIdGeneratorTests {

	private final TimeSortedIdGenerator ids = Site.shared().bean(TimeSortedIdGenerator.class);

	private TimeSortedIdGenerator.NewId next() {
		return Objects.requireNonNull(this.ids.next().block());
	}

	@Test
	void idsSortByTheTimeTheyWereMade() {
		List<String> made = new ArrayList<>();
		for (int i = 0; i < 2000; i++) {
			made.add(next().id());
		}
		assertThat(made).isSorted()
			.doesNotHaveDuplicates()
			.allMatch(TimeSortedIdGenerator::isValid)
			.allMatch((id) -> id.length() == 13);
	}

	@Test
	void idsMadeAtOnceAreAllDifferent() {
		Set<String> made = new HashSet<>();
		Simultaneous.times(8, (i) -> {
			List<String> mine = new ArrayList<>();
			for (int n = 0; n < 500; n++) {
				mine.add(next().id());
			}
			return mine;
		}).forEach(made::addAll);
		assertThat(made).hasSize(8 * 500);
	}

	@Test
	void whatHadANumberElsewhereAlwaysGetsTheSameIdInTheOrderOfItsTimeAndNumber() {
		long second = 1_577_836_800_000L + 86_400_000;
		List<String> made = List.of(TimeSortedIdGenerator.of(0, 1), TimeSortedIdGenerator.of(0, 2),
				TimeSortedIdGenerator.of(1_400_000_000_000L, 5_000_000), TimeSortedIdGenerator.of(second, 1),
				TimeSortedIdGenerator.of(second, 4_000_000_000L), TimeSortedIdGenerator.of(second + 1000, 1),
				next().id());
		assertThat(made).isSorted()
			.doesNotHaveDuplicates()
			.allMatch(TimeSortedIdGenerator::isValid)
			.startsWith("0000000000001");
		assertThat(TimeSortedIdGenerator.millisOf(TimeSortedIdGenerator.of(second, 1))).isEqualTo(second);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0HNXB4RNZQ9Z", "0HNXB4RNZQ9ZVX", "0hnxb4rnzq9zv", "0HNXB4RNZQ9Z*", "0HNXB4RNZQ9Z ",
			"0HNXB4RNZQ9ZU", "................" })
	void aTextOfAnotherFormIsNotAnId(String text) {
		assertThat(TimeSortedIdGenerator.isValid(text)).isFalse();
	}

}
