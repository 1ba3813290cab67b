package live.retwis.redis;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Makes derived data match what it is derived from. Several workers may do this at the
 * same time, and the one that read the older value may write last. So each of them reads
 * the value again after its write, and writes again if the value has changed.
 */
public final class ConvergingWrite {

	private ConvergingWrite() {
	}

	/**
	 * Writes until the value does not change meanwhile.
	 * @param source reads the value, each time that it is subscribed to; when it is
	 * empty, nothing is written
	 * @param write makes the derived data match a value; can be repeated
	 */
	public static <T> Mono<Void> of(Mono<T> source, Function<T, Mono<Void>> write) {
		return source.flatMap((value) -> write(value, source, write));
	}

	private static <T> Mono<Void> write(T value, Mono<T> source, Function<T, Mono<Void>> write) {
		return write.apply(value)
			.then(source)
			.flatMap((now) -> now.equals(value) ? Mono.empty() : write(now, source, write));
	}

}
