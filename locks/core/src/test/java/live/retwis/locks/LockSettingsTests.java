package live.retwis.locks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockSettingsTests {

	private static final String FIRST = "redis://:se:cr%40et@One.example:7001";

	private static final String SECOND = "rediss://two.example:7002/";

	private static final List<String> THREE = List.of(FIRST, SECOND, "redis://user:secret@[::1]:7003");

	private static void refuses(List<String> nodes, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockSettings.of(nodes))
			.withMessage(message)
			.withMessageNotContaining("secret");
	}

	@Test
	void readsAddressesAndNeverShowsAPassword() {
		LockSettings settings = LockSettings.of(THREE);
		assertThat(settings.addresses()).containsExactly(new NodeAddress("one.example:7001", false, null, "se:cr@et"),
				new NodeAddress("two.example:7002", true, null, null),
				new NodeAddress("[::1]:7003", false, "user", "secret"));
		assertThat(settings)
			.hasToString("LockSettings[nodes=[one.example:7001, two.example:7002, [::1]:7003], nodeTimeout=PT0.1S, "
					+ "engine=REDISSON]");
	}

	@Test
	void theFingerprintDependsOnTheNodesAndTheLeaseButNotOnOrderOrPasswords() {
		String fingerprint = LockSettings.of(THREE).fingerprint(Duration.ofSeconds(10));
		assertThat(fingerprint).isEqualTo("[::1]:7003,one.example:7001,two.example:7002 lease PT10S");
		List<String> others = List.of(SECOND, THREE.get(2), "redis://:another@one.example:7001");
		assertThat(LockSettings.of(others).fingerprint(Duration.ofSeconds(10))).isEqualTo(fingerprint);
		assertThat(LockSettings.of(THREE).fingerprint(Duration.ofSeconds(9))).isNotEqualTo(fingerprint);
	}

	@Test
	void refusesAnEvenOrTooSmallNumberOfNodes() {
		String reason = " lock nodes; it takes an odd number of at least 3, so that a majority outlives the loss of one";
		refuses(List.of(), "0" + reason);
		refuses(List.of(FIRST), "1" + reason);
		refuses(List.of(FIRST, SECOND, THREE.get(2), "redis://four.example:7004"), "4" + reason);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "two.example:7002", "http://two.example:7002", "redis://:secret@two.example",
			"redis://:secret@:7002", "redis://secret@two.example:7002", "redis://:secret@two example:7002",
			"redis://:secret@two.example:0", "redis://:secret@two.example:65536", "redis://:secret@two.example:7002/1",
			"redis://:secret@two.example:7002?a=b", "redis://:secret@two.example:7002#a", "redis:secret" })
	void refusesAMalformedAddressWithoutShowingIt(String node) {
		refuses(List.of(FIRST, node, THREE.get(2)),
				"Lock node number 2 is not an address like redis://[:password@]host:port");
	}

	@Test
	void refusesTheSameNodeTwiceWhateverItsLogin() {
		refuses(List.of(FIRST, SECOND, "rediss://:secret@ONE.example:7001"),
				"Lock node one.example:7001 is there twice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.0009S", "PT1M0.001S" })
	void refusesATimeOutThatIsNotPositive(Duration timeout) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LockSettings(THREE, timeout, Engine.PARALLEL))
			.withMessage("A node time-out of " + timeout + " is not in 1 ms to PT1M");
	}

	/** Another program has other settings. The metrics have names of their own. */
	@Test
	void noMessageNamesASettingOfTheSite() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
			assertThat(
					files.filter(Files::isRegularFile).filter((file) -> !file.endsWith("MicrometerLockListener.java")))
				.isNotEmpty()
				.allSatisfy(
						(file) -> assertThat(Files.readString(file)).doesNotContainPattern("(?<!live\\.)retwis\\."));
		}
	}

}
