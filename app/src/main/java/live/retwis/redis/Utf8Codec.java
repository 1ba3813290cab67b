package live.retwis.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.lettuce.core.codec.StringCodec;

/**
 * Encodes texts in UTF-8. Lettuce's own codec creates three objects to read one text,
 * which is half the cost of reading a page of ids.
 */
final class Utf8Codec extends StringCodec {

	static final Utf8Codec INSTANCE = new Utf8Codec();

	private Utf8Codec() {
		super(StandardCharsets.UTF_8);
	}

	@Override
	public String decodeKey(ByteBuffer bytes) {
		return decodeValue(bytes);
	}

	@Override
	public String decodeValue(ByteBuffer bytes) {
		byte[] text = new byte[bytes.remaining()];
		bytes.get(text);
		return new String(text, StandardCharsets.UTF_8);
	}

}
