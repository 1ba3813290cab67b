package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events as chunks of HTTP/1.1. HTTP/1.0 knows no chunks and gets the bytes as
 * they are.
 */
class ChunkEncoder {

	private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);

	/** Bytes of a chunk's header: the digits of its length, and the line end. */
	private static final int HEAD = 10;

	/** The last event that was encoded on this thread. */
	private static final FastThreadLocal<SharedChunk> LAST = new FastThreadLocal<>() {

		@Override
		protected SharedChunk initialValue() {
			return new SharedChunk();
		}

		@Override
		protected void onRemoval(SharedChunk chunk) {
			chunk.release();
		}

	};

	private final boolean chunked;

	ChunkEncoder(boolean chunked) {
		this.chunked = chunked;
	}

	/**
	 * One event. It is encoded once for all streams of a thread that send it one after
	 * another. The caller releases the buffer.
	 */
	ByteBuf shared(byte[] frame, ByteBufAllocator buffers) {
		ByteBuf chunk = LAST.get().of(frame, buffers);
		return this.chunked ? chunk.retainedDuplicate()
				: chunk.retainedSlice(HEAD, chunk.readableBytes() - HEAD - LINE_END.length);
	}

	/** Begins a chunk in an empty buffer: reserves room for the length. */
	void begin(ByteBuf chunk) {
		if (this.chunked) {
			reserveHead(chunk);
		}
	}

	/** Ends the chunk: fills in the length. */
	ByteBuf end(ByteBuf chunk) {
		return this.chunked ? fillHead(chunk) : chunk;
	}

	private static void reserveHead(ByteBuf chunk) {
		chunk.writeZero(HEAD);
	}

	private static ByteBuf fillHead(ByteBuf chunk) {
		int end = chunk.writerIndex();
		String length = HexFormat.of().toHexDigits(end - HEAD, HEAD - LINE_END.length);
		chunk.writerIndex(0);
		chunk.writeCharSequence(length, StandardCharsets.US_ASCII);
		return chunk.writeBytes(LINE_END).writerIndex(end).writeBytes(LINE_END);
	}

	/** An event encoded as a chunk, kept until another event is encoded. */
	private static final class SharedChunk {

		private byte @Nullable [] frame;

		private ByteBuf chunk = Unpooled.EMPTY_BUFFER;

		ByteBuf of(byte[] wanted, ByteBufAllocator buffers) {
			if (this.frame != wanted) {
				// Allocate first: if there is no memory, the previous event stays
				// intact.
				ByteBuf encoded = buffers.directBuffer(HEAD + wanted.length + LINE_END.length);
				reserveHead(encoded);
				fillHead(encoded.writeBytes(wanted));
				this.chunk.release();
				this.chunk = encoded;
				this.frame = wanted;
			}
			return this.chunk;
		}

		void release() {
			this.frame = null;
			this.chunk.release();
			this.chunk = Unpooled.EMPTY_BUFFER;
		}

	}

}
