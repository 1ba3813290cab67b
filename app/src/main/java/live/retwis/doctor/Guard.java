package live.retwis.doctor;

import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Runs a repair while nobody else writes what it repairs.
 */
@FunctionalInterface
public interface Guard {

	/**
	 * Locks, claims the fence of that key ({@code Keys.fence}) and runs the body.
	 * @param key what is guarded, and the name of the lock
	 * @param body given the owner that the fence names; its writes check that
	 * @return what the body returns; an error when the lock cannot be had, and nothing
	 * was done then
	 */
	<T> Mono<T> guarded(String key, Function<String, Mono<T>> body);

}
