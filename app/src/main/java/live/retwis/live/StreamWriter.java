package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * Writes the events of one stream past the HTTP codec, as chunks that are framed once for
 * all streams of a thread. Only the answer's headers come from the web framework, which
 * takes the answer for finished then and forgets its request: the end that it writes is
 * kept until the stream is over. That is most of what an idle stream would cost.
 * <p>
 * What the socket does not take waits in the channel, up to a low mark, then in a bounded
 * buffer; a stream that overruns it is closed, and resumes by its position.
 */
class StreamWriter extends ChannelDuplexHandler implements StreamOutlet {

	private static final Logger logger = LoggerFactory.getLogger(StreamWriter.class);

	/** Bytes that the kernel keeps for a reader that is slow. */
	private static final int SEND_BUFFER = 65_536;

	/** Bytes in the channel, of which most belong to events that streams share. */
	private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(16_384, 32_768);

	/** Bytes that are copied into one write when many events wait. */
	private static final int BATCH = 16_384;

	private static final byte[] LINE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);

	/** Digits of a chunk's length, and the line end. */
	private static final int CHUNK_HEAD = 10;

	/** The event that was framed last on this thread. */
	private static final FastThreadLocal<Framed> LAST = new FastThreadLocal<>() {

		@Override
		protected Framed initialValue() {
			return new Framed();
		}

		@Override
		protected void onRemoval(Framed framed) {
			framed.release();
		}

	};

	private final Channel channel;

	private final boolean chunked;

	private final StreamLoop loop;

	private final int capacity;

	/** Whether events for one socket share a write while the thread is behind. */
	private final boolean coalesce;

	private Iterator<byte[]> replay = Collections.emptyIterator();

	private final Queue<byte[]> buffer = new ArrayDeque<>(0);

	/** What is to be done when nobody reads it any more. */
	private Runnable closed = () -> {
	};

	/**
	 * The codec, past which chunks are written; null until the headers are on their way.
	 */
	private @Nullable ChannelHandlerContext next;

	/** Where the answer's end goes; null until the headers are on their way. */
	private @Nullable ChannelHandlerContext own;

	/** Whether another request may follow on this connection. */
	private boolean persistent;

	/** Of the end that the web framework wrote; null until it did. */
	private @Nullable ChannelPromise last;

	private boolean flushing;

	private boolean sending;

	private boolean ending;

	/** Cuts off a stream that was told to end; null until then. */
	private @Nullable Future<?> limit;

	private boolean over;

	StreamWriter(Channel channel, boolean chunked, StreamLoop loop, LiveProperties properties) {
		this.channel = channel;
		this.chunked = chunked;
		this.loop = loop;
		this.capacity = properties.buffer();
		this.coalesce = properties.coalesce();
	}

	/**
	 * A writer for that answer.
	 * @return empty for a connection that it does not know
	 */
	static Optional<StreamOutlet> of(ServerHttpResponse answer, StreamLoops loops, LiveProperties properties) {
		Object own = ServerHttpResponseDecorator.getNativeResponse(answer);
		if (!(own instanceof Connection connection) || !(own instanceof HttpServerRequest request)
				|| !(own instanceof HttpServerResponse response)) {
			return Optional.empty();
		}
		Channel channel = connection.channel();
		ChannelPipeline pipeline = channel.pipeline();
		if (!(pipeline.get(NettyPipeline.HttpCodec) instanceof HttpServerCodec)
				|| pipeline.get(NettyPipeline.CompressionHandler) != null) {
			return Optional.empty();
		}
		boolean chunked = request.version().equals(HttpVersion.HTTP_1_1);
		response.chunkedTransfer(chunked).keepAlive(chunked && request.isKeepAlive());
		return Optional.of(new StreamWriter(channel, chunked, loops.of(channel.eventLoop()), properties));
	}

	@Override
	public Executor executor() {
		return this.channel.eventLoop();
	}

	/** Only the headers, which an empty first part sends on their way. */
	@Override
	public Flux<byte[]> body() {
		return Flux.defer(() -> {
			this.channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
			this.channel.config().setWriteBufferWaterMark(WATER_MARK);
			this.channel.pipeline().addAfter(NettyPipeline.HttpCodec, null, this);
			if (!this.channel.isActive()) {
				// It will not be told of that any more.
				executor().execute(this::close);
			}
			return Flux.just(new byte[0]);
		}).doOnCancel(() -> executor().execute(this::close));
	}

	@Override
	public void onClose(Runnable listener) {
		this.closed = listener;
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (message instanceof HttpResponse headers) {
			this.persistent = HttpUtil.isKeepAlive(headers);
		}
		if (message instanceof LastHttpContent) {
			keepEnd(promise);
		}
		else {
			context.write(message, promise);
		}
	}

	/**
	 * A connection that is to be closed then must not learn of an end before it comes.
	 */
	private void keepEnd(ChannelPromise promise) {
		this.last = promise;
		if (this.persistent) {
			promise.setSuccess();
		}
		sendWaiting();
	}

	@Override
	public void flush(ChannelHandlerContext context) {
		context.flush();
		if (this.next == null) {
			this.own = context;
			this.next = context.pipeline().context(HttpServerCodec.class);
			sendWaiting();
		}
	}

	/** One that comes before the stream is over would be answered in the middle of it. */
	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest) {
			ReferenceCountUtil.release(message);
			this.channel.close();
		}
		else {
			context.fireChannelRead(message);
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		close();
		context.fireChannelInactive();
	}

	@Override
	public void replay(Iterator<byte[]> frames) {
		this.replay = frames;
		sendWaiting();
	}

	@Override
	public Taken write(byte[] frame) {
		if (this.over) {
			return Taken.OVER;
		}
		if (!isWaiting() && isWritable()) {
			Objects.requireNonNull(this.next).write(chunk(frame), this.channel.voidPromise());
			flushLater();
			return Taken.YES;
		}
		if (this.buffer.size() == this.capacity) {
			cutOff();
			return Taken.CUT_OFF;
		}
		this.buffer.add(frame);
		return Taken.YES;
	}

	private boolean isWaiting() {
		return !this.buffer.isEmpty() || this.replay.hasNext();
	}

	/**
	 * Whether the channel has room, or gets it by a flush: a socket that waits for its
	 * turn is not slow.
	 */
	private boolean isWritable() {
		if (this.next != null && !this.channel.isWritable()) {
			this.next.flush();
		}
		return this.next != null && this.channel.isWritable();
	}

	private ByteBuf chunk(byte[] frame) {
		ByteBuf framed = LAST.get().of(frame, this.channel.alloc());
		return this.chunked ? framed.retainedDuplicate()
				: framed.retainedSlice(CHUNK_HEAD, framed.readableBytes() - CHUNK_HEAD - LINE_END.length);
	}

	private void flushLater() {
		if (!this.coalesce) {
			Objects.requireNonNull(this.next).flush();
		}
		else if (!this.flushing) {
			this.flushing = true;
			this.loop.flushLater(() -> {
				this.flushing = false;
				Objects.requireNonNull(this.next).flush();
			});
		}
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		sendWaiting();
		context.fireChannelWritabilityChanged();
	}

	/**
	 * As much of the replay and of the buffer as the channel has room for. That it has
	 * some it may tell meanwhile, in the middle of a write or of a flush. After an error
	 * the stream would lack what was to be sent, so it is cut off.
	 */
	private void sendWaiting() {
		if (!this.sending) {
			this.sending = true;
			try {
				while (isWaiting() && isWritable()) {
					Objects.requireNonNull(this.next).write(batch(), this.channel.voidPromise());
					flushLater();
				}
			}
			catch (ReplayEntries.ForgottenException ex) {
				logger.debug("A stream is cut off: {}", ex.getMessage());
				cutOff();
			}
			catch (RuntimeException | Error ex) {
				logger.error("A stream is cut off", ex);
				cutOff();
			}
			finally {
				this.sending = false;
			}
		}
		if (this.ending && !this.over && this.next != null && this.last != null && !isWaiting()) {
			sendEnd(this.last);
		}
	}

	private void sendEnd(ChannelPromise kept) {
		ChannelHandlerContext context = Objects.requireNonNull(this.own);
		Future<?> running = this.limit;
		this.limit = null;
		context
			.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT,
					this.persistent ? this.channel.newPromise() : kept.unvoid())
			.addListener((sent) -> cancel(running));
		close();
	}

	private static void cancel(@Nullable Future<?> timer) {
		if (timer != null) {
			timer.cancel(false);
		}
	}

	private ByteBuf batch() {
		ByteBuf batch = this.channel.alloc().directBuffer(BATCH);
		try {
			fill(batch);
		}
		catch (RuntimeException | Error ex) {
			batch.release();
			throw ex;
		}
		return this.chunked ? batch : batch.skipBytes(CHUNK_HEAD).writerIndex(batch.writerIndex() - LINE_END.length);
	}

	private void fill(ByteBuf batch) {
		begin(batch);
		while (isWaiting() && batch.readableBytes() < BATCH) {
			batch.writeBytes(this.replay.hasNext() ? this.replay.next() : this.buffer.remove());
		}
		if (!this.replay.hasNext()) {
			// It holds what it was made of.
			this.replay = Collections.emptyIterator();
		}
		end(batch);
	}

	/**
	 * Also what the channel has taken counts as sent only when the socket has it. An
	 * answer that has not begun ends without this.
	 */
	@Override
	public void end() {
		if (this.limit == null && isOpen()) {
			this.limit = this.channel.eventLoop().schedule(this::forceEnd, END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		this.ending = true;
		sendWaiting();
	}

	private void forceEnd() {
		logger.debug("A stream that has ended is not read, and is cut off");
		cutOff();
	}

	private boolean isOpen() {
		return this.channel.pipeline().context(this) != null;
	}

	@Override
	public void cutOff() {
		this.channel.close();
		close();
	}

	private void close() {
		if (this.over) {
			return;
		}
		this.over = true;
		this.replay = Collections.emptyIterator();
		this.buffer.clear();
		cancel(this.limit);
		if (isOpen()) {
			this.channel.pipeline().remove(this);
		}
		this.closed.run();
	}

	/** Leaves room for the length, which {@link #end(ByteBuf)} fills in. */
	private static void begin(ByteBuf chunk) {
		chunk.writeZero(CHUNK_HEAD);
	}

	private static void end(ByteBuf chunk) {
		int end = chunk.writerIndex();
		String length = HexFormat.of().toHexDigits(end - CHUNK_HEAD, CHUNK_HEAD - LINE_END.length);
		chunk.writerIndex(0);
		chunk.writeCharSequence(length, StandardCharsets.US_ASCII);
		chunk.writeBytes(LINE_END).writerIndex(end).writeBytes(LINE_END);
	}

	/** An event as a chunk, kept until another one is wanted. */
	private static final class Framed {

		private byte @Nullable [] frame;

		private ByteBuf chunk = Unpooled.EMPTY_BUFFER;

		ByteBuf of(byte[] wanted, ByteBufAllocator buffers) {
			if (this.frame != wanted) {
				// The one before stays whole when there is no memory for this one.
				ByteBuf framed = buffers.directBuffer(CHUNK_HEAD + wanted.length + LINE_END.length);
				begin(framed);
				framed.writeBytes(wanted);
				end(framed);
				this.chunk.release();
				this.chunk = framed;
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
