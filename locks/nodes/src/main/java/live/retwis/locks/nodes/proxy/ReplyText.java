package live.retwis.locks.nodes.proxy;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.netty.buffer.Unpooled;

/**
 * Replies as short texts.
 */
final class ReplyText {

	private static final int LONGEST = 200;

	private ReplyText() {
	}

	/** A whole reply, as {@link TrafficListener#answered} describes it. */
	static String of(byte[] bytes) {
		String text = switch (bytes[0]) {
			case '-' -> new String(bytes, StandardCharsets.UTF_8).strip();
			case '_' -> "nil";
			default -> isNil(bytes) ? "nil" : String.join(" ", words(bytes));
		};
		return text.substring(0, Math.min(text.length(), LONGEST));
	}

	private static boolean isNil(byte[] bytes) {
		return bytes.length > 2 && (bytes[0] == '$' || bytes[0] == '*') && bytes[1] == '-';
	}

	private static List<String> words(byte[] bytes) {
		return new RespDecoder().feed(Unpooled.wrappedBuffer(bytes))
			.stream()
			.flatMap((value) -> value.words().stream())
			.toList();
	}

}
