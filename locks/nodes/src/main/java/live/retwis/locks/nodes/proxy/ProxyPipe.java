package live.retwis.locks.nodes.proxy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One direction of a connection: it reads from one side and writes to the other what has
 * passed the interceptions. All of it runs on the thread of the proxy.
 */
final class ProxyPipe extends ChannelInboundHandlerAdapter {

	private static final Logger logger = LoggerFactory.getLogger(ProxyPipe.class);

	/** Most bytes in transit. Beyond it, reading pauses and the sender waits. */
	private static final int MOST_BYTES = 1 << 20;

	private static final byte[] NOTHING = {};

	private final ProxiedConnection connection;

	private final ProxyDirection direction;

	private final ActiveInterceptions interceptions;

	private final @Nullable RespDecoder decoder;

	/** In their order. A frame that is held holds those behind it. */
	private final Queue<ProxyFrame> waiting = new ArrayDeque<>();

	/** What has come since it was last quiet, while round trips are counted. */
	private final List<ProxyFrame> batch = new ArrayList<>();

	private @Nullable Future<?> quiet;

	private long bytes;

	private @Nullable Channel from;

	private @Nullable Channel to;

	/** The fault that dropped data here, so nothing arrives any more; null for none. */
	private @Nullable Interception lostBy;

	ProxyPipe(ProxiedConnection connection, ProxyDirection direction, ActiveInterceptions interceptions,
			boolean speaksRedis) {
		this.connection = connection;
		this.direction = direction;
		this.interceptions = interceptions;
		this.decoder = speaksRedis ? new RespDecoder() : null;
	}

	/** Begins to read, because both sides are there. */
	void start(Channel from, Channel to) {
		this.from = from;
		this.to = to;
		from.config().setAutoRead(true);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf read = (ByteBuf) message;
		boolean idle = this.waiting.isEmpty();
		try {
			if (this.decoder == null) {
				add(ByteBufUtil.getBytes(read), null);
			}
			else {
				this.decoder.feed(read).forEach((value) -> add(value.bytes(), command(value)));
			}
		}
		finally {
			read.release();
		}
		if (idle) {
			pump();
		}
		readMoreOrNot();
	}

	private @Nullable SentCommand command(RespDecoder.Value value) {
		return (this.direction == ProxyDirection.TO_SERVER) ? SentCommand.of(value.words())
				: this.connection.replies().answeredBy(value.bytes(), value.words());
	}

	/** A side that has ended is a frame too, which waits behind the others. */
	@Override
	public void channelInactive(ChannelHandlerContext context) {
		if (this.from != null) {
			add(NOTHING, null);
			pump();
		}
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		this.connection.opposite(this).pump();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable ex) {
		if (!(ex instanceof IOException)) {
			logger.warn("A connection ends that the proxy cannot read", ex);
		}
		context.close();
	}

	private void add(byte[] bytes, @Nullable SentCommand command) {
		this.bytes += bytes.length;
		ProxyFrame frame = new ProxyFrame(this.connection, this.direction, bytes, command);
		if (command != null && this.direction == ProxyDirection.TO_SERVER) {
			this.interceptions.traffic().sent(command);
		}
		RoundTripCountingDelay delay = this.interceptions.countingDelay();
		if (delay.isCounting() || !this.batch.isEmpty()) {
			this.batch.add(frame);
			awaitQuiet(delay);
		}
		else {
			this.waiting.add(frame);
		}
	}

	private void awaitQuiet(RoundTripCountingDelay delay) {
		if (this.quiet != null) {
			this.quiet.cancel(false);
		}
		this.quiet = later(() -> {
			if (this.direction == ProxyDirection.TO_SERVER) {
				delay.add(this.batch.stream().map(ProxyFrame::command).filter(Objects::nonNull).toList());
			}
			this.waiting.addAll(this.batch);
			this.batch.clear();
			pump();
		}, delay.quietNanos());
	}

	private Future<?> later(Runnable task, long nanos) {
		return Objects.requireNonNull(this.from).eventLoop().schedule(task, nanos, TimeUnit.NANOSECONDS);
	}

	/** Passes on what may go on now. */
	void pump() {
		Channel channel = this.to;
		if (channel == null) {
			return;
		}
		if (this.lostBy != null && this.lostBy.isUndone()) {
			this.connection.close();
		}
		// ActiveInterceptions still see the data that can no longer be written.
		while (!this.connection.isClosed() && !this.waiting.isEmpty()
				&& (channel.isWritable() || !channel.isActive())) {
			ProxyFrame frame = this.waiting.element();
			Interception interception = this.interceptions.stops(frame);
			if (interception != null && !removes(interception, frame)) {
				break;
			}
			this.waiting.remove();
			this.bytes -= frame.length();
			if (interception == null) {
				deliver(frame, channel);
			}
		}
		readMoreOrNot();
		channel.flush();
	}

	/** Whether the frame goes out of the way of those behind it. */
	private boolean removes(Interception interception, ProxyFrame frame) {
		switch (interception.effect()) {
			case DELAY -> later(this::pump, interception.nanosLeft(frame));
			case CUT -> this.connection.close();
			case LOSE -> this.lostBy = interception;
			default -> {
				// It waits until the interception is gone.
			}
		}
		return interception.effect() == Interception.Effect.LOSE;
	}

	private void deliver(ProxyFrame frame, Channel channel) {
		if (frame.isEnd()) {
			channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((written) -> end(channel));
		}
		else if (this.lostBy == null) {
			if (this.direction == ProxyDirection.TO_SERVER && frame.command() != null) {
				this.connection.replies().asks(frame.command());
			}
			if (this.direction == ProxyDirection.TO_CLIENT && frame.command() != null) {
				this.interceptions.traffic().answered(frame.command(), ReplyText.of(frame.bytes()));
			}
			channel.write(Unpooled.wrappedBuffer(frame.bytes()));
		}
	}

	/** The server may still answer when the client says nothing more. */
	private void end(Channel channel) {
		if (this.direction == ProxyDirection.TO_SERVER) {
			((DuplexChannel) channel).shutdownOutput();
		}
		else {
			this.connection.close();
		}
	}

	private void readMoreOrNot() {
		Objects.requireNonNull(this.from).config().setAutoRead(this.bytes < MOST_BYTES);
	}

}
