package live.retwis.redis;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NoncesTests {

	@Test
	void noneIsGivenTwiceHoweverManyBlocksTheyTake() {
		Set<String> given = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			assertThat(given.add(Nonces.ofBits(96))).isTrue();
		}
	}

	@Test
	void oneThatIsLongerThanABlockHasNoPartTwiceAndNoneEmpty() {
		byte[] bytes = new byte[10_000];
		Nonces.random().nextBytes(bytes);
		Set<Long> parts = new HashSet<>();
		java.nio.LongBuffer longs = java.nio.ByteBuffer.wrap(bytes).asLongBuffer();
		while (longs.hasRemaining()) {
			long part = longs.get();
			assertThat(part).isNotZero();
			assertThat(parts.add(part)).isTrue();
		}
	}

	@Test
	void aNonceHasSixBitsACharacter() {
		assertThat(Nonces.ofBits(96)).hasSize(16).matches("[A-Za-z0-9_-]+");
		assertThat(Nonces.ofBits(256)).hasSize(43);
	}

}
