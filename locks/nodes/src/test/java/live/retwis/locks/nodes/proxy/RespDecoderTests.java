package live.retwis.locks.nodes.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Values of the Redis protocol, in whatever pieces they arrive.
 */
class RespDecoderTests {

	private static final String STREAM = "*2\r\n$4\r\nPING\r\n$0\r\n\r\n+OK\r\n:5\r\n$-1\r\n*-1\r\n-ERR no\r\n"
			+ "*2\r\n*1\r\n:1\r\n$3\r\na\r\n\r\n%1\r\n+k\r\n+v\r\n|1\r\n+a\r\n:1\r\n+OK\r\n";

	private static ByteBuf bytes(String text) {
		return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
	}

	@Test
	void areTheSameWhateverThePiecesOfTheStream() {
		List<byte[]> whole = new RespDecoder().feed(bytes(STREAM)).stream().map(RespDecoder.Value::bytes).toList();
		assertThat(whole).hasSize(9);
		for (int size = 1; size < STREAM.length(); size++) {
			RespDecoder frames = new RespDecoder();
			List<byte[]> cut = new ArrayList<>();
			for (int start = 0; start < STREAM.length(); start += size) {
				String piece = STREAM.substring(start, Math.min(start + size, STREAM.length()));
				frames.feed(bytes(piece)).forEach((value) -> cut.add(value.bytes()));
			}
			assertThat(cut).usingRecursiveComparison().isEqualTo(whole);
		}
	}

	@Test
	void haveTheirWords() {
		assertThat(new RespDecoder().feed(bytes("*2\r\n$4\r\nINFO\r\n$6\r\nserver\r\n"))).singleElement()
			.satisfies((value) -> assertThat(value.words()).containsExactly("INFO", "server"));
	}

	@Test
	void aValueWithoutAnEndIsAnError() {
		RespDecoder frames = new RespDecoder();
		assertThatIllegalStateException().isThrownBy(() -> frames.feed(bytes("$90000000\r\n" + "x".repeat(17 << 20))));
	}

}
