package live.retwis.live;

import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The end of a response, which the web framework writes as soon as it has written the
 * headers. It is held back until the stream is over. Then the socket has to accept it
 * within a time limit.
 */
final class DeferredLastChunk {

	/** Whether another request may follow on this connection. */
	private boolean persistent;

	/** The promise of the end that the web framework wrote; null before that. */
	private @Nullable ChannelPromise last;

	/** The timer that cuts off a stream after it was told to end; null before that. */
	private @Nullable Future<?> limit;

	void headers(HttpResponse headers) {
		this.persistent = HttpUtil.isKeepAlive(headers);
	}

	/**
	 * Holds the end back. If the connection is to be closed after the response, the web
	 * framework must not see the end before it is really sent.
	 */
	void hold(ChannelPromise promise) {
		this.last = promise;
		if (this.persistent) {
			promise.setSuccess();
		}
	}

	boolean isHeld() {
		return this.last != null;
	}

	/** Starts the time limit, unless it is running. */
	void limit(EventLoop thread, Runnable cutOff) {
		if (this.limit == null) {
			this.limit = thread.schedule(cutOff, StreamOutlet.END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	void cancelLimit() {
		cancel(this.limit);
	}

	/**
	 * Sends the end. What the channel has accepted counts as sent only when the socket
	 * has it, so the time limit goes on until then.
	 */
	void send(ChannelHandlerContext context) {
		ChannelPromise kept = this.last;
		Future<?> running = this.limit;
		this.limit = null;
		context
			.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT,
					(this.persistent || kept == null) ? context.newPromise() : kept.unvoid())
			.addListener((sent) -> cancel(running));
	}

	private static void cancel(@Nullable Future<?> timer) {
		if (timer != null) {
			timer.cancel(false);
		}
	}

}
