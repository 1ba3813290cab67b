package live.retwis.importing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetwisTimeTests {

	private static final long NOW = 1_700_000_000_000L;

	@ParameterizedTest
	@ValueSource(strings = { "1400000000", "1400000000.0", "1.4E9", "1400000000000" })
	void secondsAndMillisecondsAreToldApart(String text) {
		assertThat(RetwisTime.millis(text, NOW)).hasValue(1_400_000_000_000L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "-5", "yesterday", "NaN", "Infinity", "1800000000", "1e300" })
	void whatIsNoTimeOrInTheFutureIsNone(String text) {
		assertThat(RetwisTime.millis(text, NOW)).isEmpty();
	}

	@Test
	void aClockThatWasAnHourFastIsTolerated() {
		assertThat(RetwisTime.millis("1700003600", NOW)).hasValue(NOW + 3_600_000);
	}

}
