package live.retwis.web;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Closes an HTTP/2 connection whose client is too slow in sending the head of a request
 * or any other frame, that has no request for too long, or on which nothing is sent
 * either way. Bodies have a limit where they are read, so frames with their bytes have
 * none here.
 * <p>
 * A client can send the head of one request at a time on a connection: no other frame may
 * come between its frames (RFC 9113, section 4.3). So one point of time is enough.
 * <p>
 * It stands before the HTTP/2 codec, and reads of each frame only the nine bytes before
 * its content. On a connection that begins like HTTP/1.1 it only watches whether anything
 * is sent.
 */
final class Http2Timeouts extends IdleStateHandler {

	/** A connection is looked at this many times during the shortest limit. */
	private static final int LOOKS = 4;

	/** Bytes before the content of a frame: length (3), type, flags, stream (4). */
	private static final int FRAME_HEADER = 9;

	private final ByteBuf preface = Http2CodecUtil.connectionPrefaceBuf();

	private final Duration headTimeout;

	private final Duration idleTimeout;

	/** How many bytes of the preface have come. */
	private int prefaceRead;

	private boolean http1;

	/** Bytes of the present frame header that have come. */
	private int headerRead;

	/** The first bytes of the present frame header: its length and its type. */
	private int lengthAndType;

	private byte flags;

	/** Bytes of the present frame that are still to come. */
	private int toCome;

	/** Whether the head of a request has begun and not ended. */
	private boolean head;

	/** When what has begun did so, by {@link System#nanoTime()}. */
	private long begun = System.nanoTime();

	/** When a request last came or was at work, by {@link System#nanoTime()}. */
	private long used = System.nanoTime();

	private @Nullable Future<?> looking;

	/**
	 * Watches a connection.
	 * @param quiet how long nothing may be sent either way
	 */
	Http2Timeouts(ServerLimitProperties limits, Duration quiet) {
		super(0, 0, quiet.toMillis(), TimeUnit.MILLISECONDS);
		this.headTimeout = limits.headTimeout();
		this.idleTimeout = limits.idleTimeout();
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) throws Exception {
		super.handlerAdded(context);
		long every = Math.min(this.headTimeout.toNanos(), this.idleTimeout.toNanos()) / LOOKS;
		this.looking = context.executor()
			.scheduleWithFixedDelay(() -> look(context.channel()), every, every, TimeUnit.NANOSECONDS);
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext context) throws Exception {
		if (this.looking != null) {
			this.looking.cancel(false);
		}
		this.preface.release();
		super.handlerRemoved(context);
	}

	@Override
	protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
		context.close();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
		if (message instanceof ByteBuf bytes) {
			follow(bytes);
		}
		super.channelRead(context, message);
	}

	private void look(Channel channel) {
		if (this.http1) {
			return;
		}
		long now = System.nanoTime();
		Http2FrameCodec codec = channel.pipeline().get(Http2FrameCodec.class);
		if (codec != null && isAtWork(codec.connection())) {
			this.used = now;
		}
		if (isWaitingForBytes() && now - this.begun > this.headTimeout.toNanos()
				|| now - this.used > this.idleTimeout.toNanos()) {
			if (codec != null) {
				// Else the codec waits for the open streams.
				codec.gracefulShutdownTimeoutMillis(0);
			}
			channel.close();
		}
	}

	/**
	 * Whether an answer is incomplete. After it, the stream is open until the client ends
	 * its request, which it may never do.
	 */
	private static boolean isAtWork(Http2Connection connection) {
		try {
			return connection
				.forEachActiveStream((stream) -> stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) != null;
		}
		catch (Http2Exception ex) {
			throw new IllegalStateException("looking at a state does not fail", ex);
		}
	}

	private boolean isWaitingForBytes() {
		return isPartOfPreface() || this.head || this.headerRead > 0 && !isData();
	}

	private boolean isPartOfPreface() {
		return this.prefaceRead > 0 && this.prefaceRead < this.preface.readableBytes();
	}

	private boolean isData() {
		return this.headerRead == FRAME_HEADER && type() == Http2FrameTypes.DATA;
	}

	private byte type() {
		return (byte) this.lengthAndType;
	}

	/** Goes through the bytes without taking them. */
	private void follow(ByteBuf bytes) {
		int at = bytes.readerIndex();
		int end = bytes.writerIndex();
		while (at < end && !this.http1) {
			if (this.prefaceRead < this.preface.readableBytes()) {
				followPreface(bytes.getByte(at++));
			}
			else if (this.headerRead < FRAME_HEADER) {
				followHeader(bytes.getByte(at++));
			}
			else {
				int passed = Math.min(this.toCome, end - at);
				at += passed;
				this.toCome -= passed;
			}
			if (this.headerRead == FRAME_HEADER && this.toCome == 0) {
				endFrame();
			}
		}
	}

	private void followPreface(byte next) {
		if (this.prefaceRead == 0) {
			this.begun = System.nanoTime();
		}
		this.http1 = next != this.preface.getByte(this.prefaceRead++);
	}

	private void followHeader(byte next) {
		if (this.headerRead == 0 && !this.head) {
			this.begun = System.nanoTime();
		}
		if (this.headerRead < 4) {
			this.lengthAndType = this.lengthAndType << 8 | next & 0xff;
		}
		else if (this.headerRead == 4) {
			this.flags = next;
		}
		if (++this.headerRead == FRAME_HEADER) {
			this.toCome = this.lengthAndType >>> 8;
			this.head |= type() == Http2FrameTypes.HEADERS;
		}
	}

	private void endFrame() {
		boolean partOfHead = type() == Http2FrameTypes.HEADERS || type() == Http2FrameTypes.CONTINUATION;
		if (partOfHead && (this.flags & Http2Flags.END_HEADERS) != 0) {
			this.head = false;
			this.used = System.nanoTime();
		}
		this.headerRead = 0;
	}

}
