package live.retwis.web;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

import org.springframework.http.MediaType;

/**
 * Closes a connection whose client is too slow: in sending the head or the body of a
 * request, in sending the next request, or in reading an answer. A stream has no limit
 * here, because it may be quiet and has bounds of its own. A look at each connection a
 * few times during the shortest limit is enough, so a limit may last a quarter longer.
 * <p>
 * Reactor Netty has limits of its own. Its limits of a request do not count the time of
 * the head. Its limit of an idle connection does not know streams, which it considers
 * answered when their headers are sent.
 * <p>
 * One object watches one connection. It stands before the HTTP codec and sees the first
 * byte of a request. Its second part stands after the codec and sees requests and
 * answers.
 */
final class ConnectionTimeouts extends ChannelInboundHandlerAdapter {

	/** Requests that may wait for their answers. Browsers send one at a time. */
	private static final int MOST_WAITING = 16;

	/** Bytes of an answer that a client has to take within the limit. */
	private static final int LEAST_TAKEN = 1_024;

	/** A connection is looked at this many times during the shortest limit. */
	private static final int LOOKS = 4;

	private final ServerLimitProperties limits;

	private final Messages messages = new Messages();

	private Reading reading = Reading.NOTHING;

	/** When the present state began, by {@link System#nanoTime()}. */
	private long since = System.nanoTime();

	/** How many requests have no complete answer yet. */
	private int unanswered;

	/** Whether the present answer is a stream. */
	private boolean stream;

	/**
	 * What the socket still had to send when the client last took enough of it. The
	 * client takes enough when it takes {@value #LEAST_TAKEN} bytes or finishes a
	 * message.
	 */
	private Waiting waiting = Waiting.NOTHING;

	/** When the client last took enough, by {@link System#nanoTime()}. */
	private long taken;

	private @Nullable Future<?> looking;

	private ConnectionTimeouts(ServerLimitProperties limits) {
		this.limits = limits;
	}

	/**
	 * Watches a new connection. With TLS, the protocol is known only after the handshake,
	 * which has its own limit.
	 * @param quiet how long nothing may be sent either way on an HTTP/2 connection
	 */
	static void watch(Channel channel, ServerLimitProperties limits, Duration quiet) {
		ChannelPipeline pipeline = channel.pipeline();
		if (pipeline.get(NettyPipeline.H2OrHttp11Codec) == null) {
			watch(pipeline, limits, quiet);
			return;
		}
		pipeline.addBefore(NettyPipeline.ReactiveBridge, null, new ChannelInboundHandlerAdapter() {
			@Override
			public void userEventTriggered(ChannelHandlerContext context, Object event) {
				if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
					watch(pipeline, limits, quiet);
				}
				context.fireUserEventTriggered(event);
			}
		});
	}

	private static void watch(ChannelPipeline pipeline, ServerLimitProperties limits, Duration quiet) {
		if (pipeline.get(NettyPipeline.HttpCodec) instanceof HttpServerCodec) {
			ConnectionTimeouts timeouts = new ConnectionTimeouts(limits);
			pipeline.addBefore(NettyPipeline.HttpCodec, null, timeouts)
				.addAfter(NettyPipeline.HttpCodec, null, timeouts.messages);
		}
		else {
			Http2Timeouts timeouts = new Http2Timeouts(limits, quiet);
			if (pipeline.get(NettyPipeline.SslHandler) == null) {
				pipeline.addFirst(timeouts);
			}
			else {
				pipeline.addAfter(NettyPipeline.SslHandler, null, timeouts);
			}
		}
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		long every = Stream
			.of(this.limits.headTimeout(), this.limits.bodyTimeout(), this.limits.idleTimeout(),
					this.limits.answerTimeout())
			.mapToLong(Duration::toNanos)
			.min()
			.orElseThrow() / LOOKS;
		this.looking = context.executor()
			.scheduleWithFixedDelay(() -> look(context.channel()), every, every, TimeUnit.NANOSECONDS);
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext context) {
		if (this.looking != null) {
			this.looking.cancel(false);
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object bytes) {
		if (this.reading == Reading.NOTHING) {
			begin(Reading.HEAD);
		}
		context.fireChannelRead(bytes);
	}

	private void begin(Reading next) {
		this.reading = next;
		this.since = System.nanoTime();
	}

	private void look(Channel channel) {
		long now = System.nanoTime();
		ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
		boolean sends = buffer != null && !buffer.isEmpty();
		if (sends && this.reading == Reading.NOTHING) {
			this.since = now;
		}
		if (buffer != null && sends && !this.stream && isNotRead(buffer, now)) {
			reset(channel);
		}
		else if (now - this.since > limit()) {
			channel.close();
		}
		if (!sends) {
			this.waiting = Waiting.NOTHING;
		}
	}

	/**
	 * Closes the connection and forgets what the client has not read. After an ordinary
	 * close the operating system would keep that for minutes.
	 */
	private static void reset(Channel channel) {
		channel.config().setOption(ChannelOption.SO_LINGER, 0);
		channel.close();
	}

	private long limit() {
		return switch (this.reading) {
			case HEAD -> this.limits.headTimeout().toNanos();
			case BODY -> this.limits.bodyTimeout().toNanos();
			case NOTHING -> (this.unanswered > 0) ? Long.MAX_VALUE : this.limits.idleTimeout().toNanos();
		};
	}

	private boolean isNotRead(ChannelOutboundBuffer buffer, long now) {
		Waiting present = Waiting.in(buffer);
		if (present.hasMovedSince(this.waiting)) {
			this.waiting = present;
			this.taken = now;
		}
		return now - this.taken > this.limits.answerTimeout().toNanos();
	}

	private enum Reading {

		NOTHING, HEAD, BODY

	}

	/** The part after the codec. */
	private final class Messages extends ChannelDuplexHandler {

		/**
		 * Closes the connection of a client that sends requests without reading the
		 * answers. All of these would wait in memory. What the client has sent after that
		 * is dropped.
		 */
		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			Channel channel = context.channel();
			if (message instanceof HttpRequest) {
				begin(Reading.BODY);
				if (channel.isActive()
						&& (++ConnectionTimeouts.this.unanswered > MOST_WAITING || !channel.isWritable())) {
					reset(channel);
				}
			}
			if (!channel.isActive()) {
				ReferenceCountUtil.release(message);
				return;
			}
			if (message instanceof LastHttpContent) {
				begin(Reading.NOTHING);
			}
			context.fireChannelRead(message);
		}

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			boolean complete = message instanceof LastHttpContent;
			if (message instanceof HttpResponse response) {
				ConnectionTimeouts.this.stream = MediaType.TEXT_EVENT_STREAM_VALUE
					.equals(response.headers().get(HttpHeaderNames.CONTENT_TYPE));
				complete &= response.status().codeClass() != HttpStatusClass.INFORMATIONAL;
			}
			if (complete) {
				ConnectionTimeouts.this.stream = false;
				ConnectionTimeouts.this.unanswered = Math.max(0, ConnectionTimeouts.this.unanswered - 1);
				if (ConnectionTimeouts.this.reading == Reading.NOTHING) {
					begin(Reading.NOTHING);
				}
			}
			context.write(message, promise);
		}

	}

	/**
	 * What waits for the socket.
	 *
	 * @param message tells one message from others
	 * @param sent bytes of it that the socket has taken
	 * @param pending bytes that wait in all
	 */
	private record Waiting(int message, long sent, long pending) {

		static final Waiting NOTHING = new Waiting(0, 0, 0);

		static Waiting in(ChannelOutboundBuffer buffer) {
			return new Waiting(System.identityHashCode(buffer.current()), buffer.currentProgress(),
					buffer.totalPendingWriteBytes());
		}

		/** Whether the client has taken enough since then. */
		boolean hasMovedSince(Waiting before) {
			return this.message != before.message || this.pending != before.pending || this.sent < before.sent
					|| this.sent - before.sent >= LEAST_TAKEN;
		}

	}

}
