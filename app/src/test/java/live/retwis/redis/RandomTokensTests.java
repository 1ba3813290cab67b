package live.retwis.redis;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RandomTokensTests {

	@Test
	void noNonceIsRepeated() {
		Set<String> given = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			assertThat(given.add(RandomTokens.ofBits(96))).isTrue();
		}
	}

	@Test
	void aNonceHasSixBitsPerCharacter() {
		assertThat(RandomTokens.ofBits(96)).hasSize(16).matches("[A-Za-z0-9_-]+");
		assertThat(RandomTokens.ofBits(256)).hasSize(43);
	}

}
