package live.retwis.locks.lab.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts the bytes of a connection into whole values of the Redis protocol (RESP2 and
 * RESP3). An incomplete value waits for the rest, up to 1 MiB.
 */
final class RespDecoder {

	private static final int LONGEST = 1 << 20;

	private static final int INCOMPLETE = -1;

	private byte[] rest = new byte[0];

	private List<String> words = new ArrayList<>();

	/**
	 * One value.
	 *
	 * @param bytes as they came
	 * @param words the strings of the value, in their order
	 */
	record Value(byte[] bytes, List<String> words) {
	}

	/**
	 * Adds bytes that came.
	 * @return the values that are complete now
	 */
	List<Value> feed(byte[] bytes) {
		byte[] all = Arrays.copyOf(this.rest, this.rest.length + bytes.length);
		System.arraycopy(bytes, 0, all, this.rest.length, bytes.length);
		List<Value> values = new ArrayList<>();
		int start = 0;
		for (int end = value(all, 0); end != INCOMPLETE; end = value(all, start)) {
			values.add(new Value(Arrays.copyOfRange(all, start, end), this.words));
			this.words = new ArrayList<>();
			start = end;
		}
		this.words = new ArrayList<>();
		this.rest = Arrays.copyOfRange(all, start, all.length);
		if (this.rest.length > LONGEST) {
			throw new IllegalStateException("A command or reply of more than " + LONGEST + " bytes");
		}
		return values;
	}

	/** The end of the value that begins at a position. */
	private int value(byte[] bytes, int start) {
		int end = lineEnd(bytes, start);
		if (end == INCOMPLETE) {
			return INCOMPLETE;
		}
		String line = new String(bytes, start, end - start - 2, StandardCharsets.ISO_8859_1);
		return switch (line.charAt(0)) {
			case '*', '~', '>' -> values(bytes, end, length(line));
			case '%' -> values(bytes, end, 2 * length(line));
			case '$', '=', '!' -> bulk(bytes, end, length(line));
			default -> {
				this.words.add(line.substring(1));
				yield end;
			}
		};
	}

	private static int lineEnd(byte[] bytes, int start) {
		for (int i = start + 1; i < bytes.length; i++) {
			if (bytes[i - 1] == '\r' && bytes[i] == '\n' && i > start + 1) {
				return i + 1;
			}
		}
		return INCOMPLETE;
	}

	private static int length(String line) {
		return Integer.parseInt(line.substring(1));
	}

	private int values(byte[] bytes, int start, int count) {
		int end = start;
		for (int i = 0; i < count && end != INCOMPLETE; i++) {
			end = value(bytes, end);
		}
		return end;
	}

	private int bulk(byte[] bytes, int start, int length) {
		if (length < 0) {
			return start;
		}
		int end = start + length + 2;
		if (end > bytes.length) {
			return INCOMPLETE;
		}
		this.words.add(new String(bytes, start, length, StandardCharsets.UTF_8));
		return end;
	}

}
