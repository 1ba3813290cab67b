package live.retwis.redis;

import reactor.core.publisher.Mono;

/**
 * What goes on when nobody waits for it any more: a browser that goes away cancels its
 * request, and is not to end a write half-way.
 */
public final class Uncancellable {

	private Uncancellable() {
	}

	/** The same, which cancelling leaves alone. */
	public static <T> Mono<T> of(Mono<T> write) {
		return Mono.deferContextual((context) -> Mono.fromFuture(() -> write.contextWrite(context).toFuture(), true));
	}

}
