package live.retwis.live;

import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.Executor;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitResult;
import reactor.util.concurrent.Queues;

/**
 * Lets the web framework write each event: for connections that {@link StreamWriter} does
 * not know, such as those of HTTP/2.
 */
class PlainOutlet implements Outlet {

	private final Executor executor;

	private final Sinks.Many<byte[]> buffer;

	private final Sinks.Empty<Void> cut = Sinks.empty();

	private Iterator<byte[]> replay = Collections.emptyIterator();

	private Runnable closed = () -> {
	};

	private boolean over;

	PlainOutlet(Executor executor, int capacity) {
		this.executor = executor;
		this.buffer = Sinks.many().unicast().onBackpressureBuffer(Queues.<byte[]>get(capacity).get());
	}

	@Override
	public Executor executor() {
		return this.executor;
	}

	@Override
	public Flux<byte[]> body() {
		return Flux.concat(Flux.fromIterable(() -> this.replay), this.buffer.asFlux())
			.takeUntilOther(this.cut.asMono())
			.doFinally((signal) -> this.executor.execute(() -> {
				this.over = true;
				this.closed.run();
			}));
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
		cutOff();
		return (result == EmitResult.FAIL_CANCELLED || result == EmitResult.FAIL_TERMINATED) ? Taken.OVER
				: Taken.CUT_OFF;
	}

	@Override
	public void end() {
		this.buffer.tryEmitComplete();
	}

	@Override
	public void cutOff() {
		this.cut.tryEmitEmpty();
	}

}
