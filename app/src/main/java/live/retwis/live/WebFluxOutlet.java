package live.retwis.live;

import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitResult;
import reactor.netty.Connection;
import reactor.util.concurrent.Queues;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * Lets the web framework write each event. Used for connections that {@link NettyOutlet}
 * does not support, such as HTTP/2.
 */
class WebFluxOutlet implements StreamOutlet {

	private static final Logger logger = LoggerFactory.getLogger(WebFluxOutlet.class);

	private final Executor executor;

	/**
	 * The connection, or the single stream of an HTTP/2 connection; null when it is not
	 * known.
	 */
	private final @Nullable Connection connection;

	private final Sinks.Many<byte[]> buffer;

	private final Sinks.Empty<Void> cut = Sinks.empty();

	private Iterator<byte[]> replay = Collections.emptyIterator();

	private Runnable closed = () -> {
	};

	private boolean over;

	/** For a response whose end only the web framework reports. */
	WebFluxOutlet(Executor executor, int capacity) {
		this(executor, capacity, null);
	}

	WebFluxOutlet(Executor executor, int capacity, @Nullable Connection connection) {
		this.executor = executor;
		this.connection = connection;
		this.buffer = Sinks.many().unicast().onBackpressureBuffer(Queues.<byte[]>get(capacity).get());
	}

	/** Creates an outlet for any response. */
	static StreamOutlet of(ServerHttpResponse answer, Executor executor, int capacity) {
		Object own = ServerHttpResponseDecorator.getNativeResponse(answer);
		return new WebFluxOutlet(executor, capacity, (own instanceof Connection known) ? known : null);
	}

	@Override
	public Executor executor() {
		return this.executor;
	}

	@Override
	public Flux<byte[]> body() {
		return Flux.concat(Flux.fromIterable(() -> this.replay), this.buffer.asFlux())
			.takeUntilOther(this.cut.asMono())
			.doOnError(this::log)
			.onErrorResume((error) -> Flux.<byte[]>empty().doOnComplete(this::cutOff))
			.doFinally((signal) -> this.executor.execute(() -> {
				this.over = true;
				this.closed.run();
			}));
	}

	private void log(Throwable error) {
		if (error instanceof MissedEntryIterator.ForgottenException) {
			logger.debug("A stream is cut off: {}", error.getMessage());
		}
		else {
			logger.error("A stream is cut off", error);
		}
	}

	@Override
	public void onClose(Runnable listener) {
		this.closed = listener;
	}

	@Override
	public void replay(Iterator<byte[]> frames) {
		this.replay = frames;
	}

	@Override
	public Taken write(byte[] frame) {
		EmitResult result = this.over ? EmitResult.FAIL_TERMINATED : this.buffer.tryEmitNext(frame);
		if (result.isSuccess()) {
			return Taken.YES;
		}
		if (result == EmitResult.FAIL_CANCELLED || result == EmitResult.FAIL_TERMINATED) {
			return Taken.OVER;
		}
		cutOff();
		return Taken.CUT_OFF;
	}

	/**
	 * Ends the stream. The web framework accepts more bytes than the socket, so only the
	 * end of the response shows that the socket has taken all of them. A connection that
	 * is closed has no thread any more.
	 */
	@Override
	public void end() {
		this.buffer.tryEmitComplete();
		if (this.connection != null && this.connection.channel().isRegistered()) {
			Future<?> limit = this.connection.channel()
				.eventLoop()
				.schedule(this::cutOff, END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
			this.connection.onTerminate().toFuture().whenComplete((none, error) -> limit.cancel(false));
		}
	}

	@Override
	public void cutOff() {
		this.cut.tryEmitEmpty();
		if (this.connection != null) {
			this.connection.channel().close();
		}
	}

}
