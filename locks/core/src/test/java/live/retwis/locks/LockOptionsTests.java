package live.retwis.locks;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockOptionsTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static void refuses(Duration lease, Duration wait, double drift, Duration minimum, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LockOptions(lease, wait, drift, minimum))
			.withMessageContaining(message);
	}

	@Test
	void theValidityIsTheLeaseMinusTheDrift() {
		assertThat(LockOptions.of(LEASE, Duration.ZERO).validity()).isEqualTo(Duration.ofMillis(9898));
		assertThat(new LockOptions(LEASE, Duration.ZERO, 0, Duration.ZERO).validity())
			.isEqualTo(Duration.ofMillis(9998));
	}

	@Test
	void refusesImpossibleValues() {
		Duration zero = Duration.ZERO;
		refuses(Duration.ofMillis(9), zero, 0.01, zero, "A lease of PT0.009S");
		refuses(LEASE, Duration.ofMillis(-1), 0.01, zero, "A wait of PT-0.001S");
		refuses(LEASE, zero, -0.01, zero, "A drift factor of -0.01");
		refuses(LEASE, zero, 0.51, zero, "A drift factor of 0.51");
		refuses(LEASE, zero, Double.NaN, zero, "A drift factor of NaN");
		refuses(LEASE, zero, 0.01, Duration.ofMillis(-1), "A minimum validity of PT-0.001S");
		refuses(LEASE, zero, 0.01, Duration.ofMillis(9898), "A minimum validity of PT9.898S");
	}

}
