package live.retwis.locks.nodes.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * Cuts the bytes of a connection into whole values of the Redis protocol (RESP2 and
 * RESP3). An incomplete value waits for the rest, up to 16 MiB.
 */
final class RespDecoder {

	private static final int LONGEST = 16 << 20;

	private final ByteBuf input = Unpooled.buffer();

	/** How many bytes of the next value are read. */
	private int size;

	/** How many parts it lacks: itself, then the elements that an array announces. */
	private long missing = 1;

	private List<String> words = new ArrayList<>();

	/**
	 * One value.
	 *
	 * @param bytes as they came
	 * @param words the bulk and simple strings of the value, in their order
	 */
	record Value(byte[] bytes, List<String> words) {
	}

	/**
	 * Adds bytes that came.
	 * @return the values that are complete now
	 * @throws IllegalStateException when an incomplete one is too long
	 */
	List<Value> feed(ByteBuf bytes) {
		this.input.discardReadBytes().writeBytes(bytes);
		List<Value> values = new ArrayList<>();
		while (readPart()) {
			if (this.missing == 0) {
				values.add(new Value(ByteBufUtil.getBytes(this.input.readSlice(this.size)), this.words));
				this.size = 0;
				this.missing = 1;
				this.words = new ArrayList<>();
			}
		}
		if (this.input.readableBytes() > LONGEST) {
			throw new IllegalStateException("A command or reply of more than " + LONGEST + " bytes");
		}
		return values;
	}

	/**
	 * Reads a line and the string that it announces. False when they are not all here.
	 */
	private boolean readPart() {
		int start = this.input.readerIndex() + this.size;
		int end = this.input.indexOf(start, this.input.writerIndex(), (byte) '\n') + 1;
		if (end == 0) {
			return false;
		}
		String line = this.input.toString(start, end - start, StandardCharsets.ISO_8859_1).strip();
		switch (line.charAt(0)) {
			case '*', '~', '>' -> this.missing += Math.max(length(line), 0);
			case '%' -> this.missing += 2 * length(line);
			case '|' -> this.missing += 2 * length(line) + 1;
			case '$', '=', '!' -> {
				int length = (int) length(line);
				if (length >= 0) {
					if (end + length + 2 > this.input.writerIndex()) {
						return false;
					}
					this.words.add(this.input.toString(end, length, StandardCharsets.UTF_8));
					end += length + 2;
				}
			}
			default -> this.words.add(line.substring(1));
		}
		this.size = end - this.input.readerIndex();
		this.missing--;
		return true;
	}

	private static long length(String line) {
		return Long.parseLong(line.substring(1));
	}

}
