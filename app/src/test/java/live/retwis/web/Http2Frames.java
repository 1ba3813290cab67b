package live.retwis.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a client sends over HTTP/2 (RFC 9113). */
final class Http2Frames {

	static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	static final int HEADERS = 1;

	static final int SETTINGS = 4;

	static final int END_STREAM = 1;

	static final int END_HEADERS = 4;

	private Http2Frames() {
	}

	static byte[] frame(int type, int flags, int stream, byte... payload) {
		return ByteBuffer.allocate(9 + payload.length)
			.putInt(payload.length << 8 | type)
			.put((byte) flags)
			.putInt(stream)
			.put(payload)
			.array();
	}

}
