package live.retwis.live;

import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

import io.netty.buffer.ByteBuf;
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
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
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
 * Writes the events of one stream directly, without the HTTP codec, as chunks that are
 * encoded once for all streams of a thread. The web framework writes only the headers. It
 * then considers the response finished and drops the request, which would be most of the
 * cost of an idle stream. The end that the framework writes is held back until the stream
 * is over.
 * <p>
 * Bytes that the socket does not take wait in the channel, up to a low limit, and then in
 * a bounded buffer. A stream that overflows the buffer is closed, and its browser resumes
 * from its position.
 */
class NettyOutlet extends ChannelDuplexHandler implements StreamOutlet {

	private static final Logger logger = LoggerFactory.getLogger(NettyOutlet.class);

	/** Size of the kernel's send buffer for a slow reader, in bytes. */
	private static final int SEND_BUFFER = 65_536;

	/**
	 * Limits on the bytes that wait in the channel. Most of them belong to events that
	 * streams share.
	 */
	private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(16_384, 32_768);

	/** When many events wait, about this many bytes are copied into one write. */
	private static final int BATCH = 16_384;

	private final Channel channel;

	private final ChunkEncoder encoder;

	private final StreamEventLoop loop;

	/** Whether events to one socket share a write while the thread is behind. */
	private final boolean coalesce;

	private final PendingFrames pending;

	/** Runs when nobody reads the stream any more. */
	private Runnable closed = () -> {
	};

	/**
	 * The context of the codec; writing to it bypasses the codec. Null until the headers
	 * are sent.
	 */
	private @Nullable ChannelHandlerContext next;

	/**
	 * The context of this handler, where the end of the response is written. Null until
	 * the headers are sent.
	 */
	private @Nullable ChannelHandlerContext own;

	private final DeferredLastChunk end = new DeferredLastChunk();

	private boolean flushing;

	private boolean sending;

	private boolean ending;

	private boolean over;

	NettyOutlet(Channel channel, boolean chunked, StreamEventLoop loop, LiveProperties properties) {
		this.channel = channel;
		this.encoder = new ChunkEncoder(chunked);
		this.loop = loop;
		this.pending = new PendingFrames(properties.buffer());
		this.coalesce = properties.writer() == LiveProperties.Writer.SHARED;
	}

	/**
	 * Creates an outlet for the response.
	 * @return empty when the connection is of another kind, such as HTTP/2, or when the
	 * web framework is to write
	 */
	static Optional<StreamOutlet> of(ServerHttpResponse answer, StreamEventLoops loops, LiveProperties properties) {
		Object own = ServerHttpResponseDecorator.getNativeResponse(answer);
		if (properties.writer() == LiveProperties.Writer.FRAMEWORK || !(own instanceof Connection connection)
				|| !(own instanceof HttpServerRequest request) || !(own instanceof HttpServerResponse response)) {
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
		return Optional.of(new NettyOutlet(channel, chunked, loops.of(channel.eventLoop()), properties));
	}

	@Override
	public Executor executor() {
		return this.channel.eventLoop();
	}

	/**
	 * Sends the headers only. The empty first part makes the web framework write them.
	 */
	@Override
	public Flux<byte[]> body() {
		return Flux.defer(() -> {
			this.channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER);
			this.channel.config().setWriteBufferWaterMark(WATER_MARK);
			this.channel.pipeline().addBefore(NettyPipeline.HttpTrafficHandler, null, this);
			if (!this.channel.isActive()) {
				// The handler will not be told any more that the channel is closed.
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
			this.end.headers(headers);
		}
		if (message instanceof LastHttpContent) {
			this.end.hold(promise);
			sendWaiting();
		}
		else {
			context.write(message, promise);
		}
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

	/**
	 * Closes the connection on a request that comes before the stream is over. It would
	 * be answered in the middle of the stream.
	 */
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
		this.pending.replay(frames);
		sendWaiting();
	}

	@Override
	public Taken write(byte[] frame) {
		if (this.over) {
			return Taken.OVER;
		}
		if (this.pending.isEmpty() && isWritable()) {
			Objects.requireNonNull(this.next)
				.write(this.encoder.shared(frame, this.channel.alloc()), this.channel.voidPromise());
			flushLater();
			return Taken.YES;
		}
		if (!this.pending.add(frame)) {
			cutOff();
			return Taken.CUT_OFF;
		}
		return Taken.YES;
	}

	/**
	 * Whether the channel has room, if necessary after a flush. A socket that only waits
	 * for its turn is not slow.
	 */
	private boolean isWritable() {
		if (this.next != null && !this.channel.isWritable()) {
			this.next.flush();
		}
		return this.next != null && this.channel.isWritable();
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
	 * Sends as much of the replay and the buffer as the channel has room for. The channel
	 * may report new room in the middle of a write or a flush, so this method can be
	 * called again while it runs. After an error, events would be missing, so the stream
	 * is cut off.
	 */
	private void sendWaiting() {
		if (!this.sending) {
			this.sending = true;
			try {
				while (!this.pending.isEmpty() && isWritable()) {
					Objects.requireNonNull(this.next).write(batch(), this.channel.voidPromise());
					flushLater();
				}
			}
			catch (MissedEntryIterator.ForgottenException ex) {
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
		if (this.ending && !this.over && this.next != null && this.end.isHeld() && this.pending.isEmpty()) {
			this.end.send(Objects.requireNonNull(this.own));
			close();
		}
	}

	private ByteBuf batch() {
		ByteBuf batch = this.channel.alloc().directBuffer(BATCH);
		try {
			this.encoder.begin(batch);
			while (!this.pending.isEmpty() && batch.readableBytes() < BATCH) {
				batch.writeBytes(this.pending.next());
			}
			return this.encoder.end(batch);
		}
		catch (RuntimeException | Error ex) {
			batch.release();
			throw ex;
		}
	}

	/**
	 * Starts the time limit. A response that has not begun ends without one.
	 */
	@Override
	public void end() {
		if (isOpen()) {
			this.end.limit(this.channel.eventLoop(), this::forceEnd);
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
		this.pending.clear();
		this.end.cancelLimit();
		if (isOpen()) {
			this.channel.pipeline().remove(this);
		}
		this.closed.run();
	}

}
