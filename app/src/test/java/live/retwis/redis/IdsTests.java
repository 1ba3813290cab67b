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

class IdsTests {

	private final Ids ids = Site.shared().bean(Ids.class);

	private Ids.NewId next() {
		return Objects.requireNonNull(this.ids.next().block());
	}

	@Test
	void idsSortByTheTimeTheyWereMade() {
		List<String> made = new ArrayList<>();
		for (int i = 0; i < 2000; i++) {
			made.add(next().id());
		}
		assertThat(made).isSorted().doesNotHaveDuplicates().allMatch(Ids::isValid).allMatch((id) -> id.length() == 13);
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

	@ParameterizedTest
	@ValueSource(strings = { "", "0HNXB4RNZQ9Z", "0HNXB4RNZQ9ZVX", "0hnxb4rnzq9zv", "0HNXB4RNZQ9Z*", "0HNXB4RNZQ9Z ",
			"0HNXB4RNZQ9ZU", "................" })
	void aTextOfAnotherFormIsNotAnId(String text) {
		assertThat(Ids.isValid(text)).isFalse();
	}

}
