package live.retwis.redis;

import reactor.core.publisher.Mono;

/**
 * Keeps a write running when its caller cancels. A browser that goes away cancels its
 * request, and that must not stop a write half-way.
 */
public final class Uncancellable {

	private Uncancellable() {
	}

	/** The given write, made so that cancelling does not stop it. */
	public static <T> Mono<T> of(Mono<T> write) {
		return Mono.deferContextual((context) -> Mono.fromFuture(() -> write.contextWrite(context).toFuture(), true));
	}

}
