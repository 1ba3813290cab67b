package live.retwis.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import live.retwis.redis.CommandTracing.Traced;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Carries the {@link CommandRecorder} of a request to each command that the request
 * sends. It travels in the Reactor context. A {@link CompletableFuture} has no such
 * context, so where a request waits for a future, as caches do, {@link #fromFuture},
 * {@link #using} and {@link #toFuture} carry it across: all of the site uses them in
 * place of Reactor's. What another request has begun to read stays in that request's
 * recording.
 */
public final class CommandRecorderContext {

	private static final ThreadLocal<Traced> CURRENT = new ThreadLocal<>();

	private CommandRecorderContext() {
	}

	/** The same work, with its commands told to the recorder. */
	public static <T> Mono<T> record(Mono<T> work, CommandRecorder recorder) {
		return work.contextWrite(Context.of(Traced.KEY, new Traced(recorder)));
	}

	/** The same work, with its commands told to nobody. */
	public static <T> Mono<T> unrecorded(Mono<T> work) {
		return work.contextWrite((context) -> context.delete(Traced.KEY));
	}

	/** Tells the recorder something, if there is one. */
	public static Mono<Void> tell(Consumer<CommandRecorder> what) {
		return Mono.deferContextual((context) -> {
			Traced traced = of(context);
			if (traced != null && traced.recorder() != null) {
				what.accept(traced.recorder());
			}
			return Mono.empty();
		});
	}

	/**
	 * Waits for a future that is begun at the subscription. Cancelling does not cancel
	 * the future, because others may wait for it.
	 */
	public static <T> Mono<T> fromFuture(Supplier<? extends CompletionStage<T>> future) {
		return Mono.deferContextual((context) -> {
			CompletableFuture<T> begun = within(of(context), future).toCompletableFuture();
			return (begun.isDone() && !begun.isCompletedExceptionally()) ? Mono.justOrEmpty(begun.join())
					: Mono.fromFuture(begun, true);
		});
	}

	/**
	 * The same for a future that is used more than once. Cancelling does not cancel it.
	 * @param use what is made of it; its argument may be subscribed to several times
	 */
	public static <T, R> Mono<R> using(Supplier<CompletableFuture<T>> future, Function<Mono<T>, Mono<R>> use) {
		return Mono.deferContextual((context) -> use.apply(Mono.fromFuture(within(of(context), future), true)));
	}

	/**
	 * Subscribes, as {@link Mono#toFuture()} does. The commands belong to the request on
	 * whose behalf the thread works now.
	 */
	public static <T> CompletableFuture<T> toFuture(Mono<T> work) {
		Traced current = CURRENT.get();
		return ((current != null) ? work.contextWrite(Context.of(Traced.KEY, current)) : work).toFuture();
	}

	/** The recorder in a Reactor context; null for none. */
	static @Nullable Traced of(ContextView context) {
		return context.getOrDefault(Traced.KEY, null);
	}

	/**
	 * The recorder of the request on whose behalf the thread works now; null for none.
	 */
	static @Nullable Traced current() {
		return CURRENT.get();
	}

	/** Does something on behalf of the request that has this recorder. */
	static <T> T within(@Nullable Traced traced, Supplier<T> work) {
		if (traced == null) {
			return work.get();
		}
		Traced before = CURRENT.get();
		CURRENT.set(traced);
		try {
			return work.get();
		}
		finally {
			if (before != null) {
				CURRENT.set(before);
			}
			else {
				CURRENT.remove();
			}
		}
	}

}
