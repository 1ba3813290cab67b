package live.retwis.locks.nodes.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a stream into frames: the values of RESP2 or RESP3, or whatever comes at once when
 * the first byte shows that it is another protocol.
 */
final class RespFrameReader {

	private static final String FIRST_BYTES = "*+-:$_#,(!=%~>|";

	private static final int BUFFER = 65_536;

	private final BufferedInputStream in;

	private final ByteArrayOutputStream frame = new ByteArrayOutputStream();

	private final List<String> words = new ArrayList<>();

	private boolean started;

	private boolean redis;

	RespFrameReader(InputStream in) {
		this.in = new BufferedInputStream(in, BUFFER);
	}

	/**
	 * Waits for the next one.
	 * @return its bytes; none at the end of the stream, a broken last frame included
	 */
	byte[] next() throws IOException {
		this.frame.reset();
		this.words.clear();
		int first = peek();
		if (!this.started) {
			this.started = true;
			this.redis = FIRST_BYTES.indexOf(first) >= 0;
		}
		if (first < 0) {
			return this.frame.toByteArray();
		}
		if (!this.redis) {
			return chunk();
		}
		value();
		return this.frame.toByteArray();
	}

	/** The bulk and simple strings of the last frame, in their order; none in others. */
	List<String> words() {
		return this.words;
	}

	boolean isRedis() {
		return this.redis;
	}

	private int peek() throws IOException {
		this.in.mark(1);
		int first = this.in.read();
		this.in.reset();
		return first;
	}

	private byte[] chunk() throws IOException {
		byte[] buffer = new byte[BUFFER];
		return Arrays.copyOf(buffer, Math.max(this.in.read(buffer), 0));
	}

	private void value() throws IOException {
		String line = line();
		switch (line.charAt(0)) {
			case '*', '~', '>' -> values(length(line));
			case '%' -> values(2 * length(line));
			case '|' -> values(2 * length(line) + 1);
			case '$', '=', '!' -> bulk(length(line));
			default -> this.words.add(line.substring(1));
		}
	}

	private static int length(String line) {
		return Integer.parseInt(line.substring(1));
	}

	private void values(int count) throws IOException {
		for (int i = 0; i < count; i++) {
			value();
		}
	}

	private void bulk(int length) throws IOException {
		if (length >= 0) {
			byte[] bytes = this.in.readNBytes(length + 2);
			if (bytes.length < length + 2) {
				throw new EOFException();
			}
			this.frame.writeBytes(bytes);
			this.words.add(new String(bytes, 0, length, StandardCharsets.UTF_8));
		}
	}

	private String line() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int b = this.in.read(); b != '\n'; b = this.in.read()) {
			if (b < 0) {
				throw new EOFException();
			}
			line.write(b);
		}
		line.write('\n');
		this.frame.writeBytes(line.toByteArray());
		return line.toString(StandardCharsets.ISO_8859_1).strip();
	}

}
