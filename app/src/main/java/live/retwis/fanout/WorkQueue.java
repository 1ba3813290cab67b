package live.retwis.fanout;

import java.util.Collection;
import java.util.List;

import reactor.core.publisher.Mono;

/**
 * A queue of work. Each item is handed to one instance, and to another one if that
 * instance dies.
 *
 * @param <T> one item of work
 */
interface WorkQueue<T> {

	/** Items that nobody has had yet. The list is empty when there are none. */
	Mono<List<T>> next();

	/** Items that were handed to this instance and are not done. */
	Mono<List<T>> pending();

	/**
	 * Items that a dead instance had, or that were left for later. Items whose data is
	 * gone are put aside.
	 */
	Mono<List<T>> abandoned();

	/** The id of an item in its stream. */
	String id(T work);

	/** Marks an item as done. Changes nothing when it already is. */
	Mono<Void> done(T work);

	/**
	 * Puts aside an item that cannot be processed, so that it does not stop the others.
	 */
	Mono<Void> moveToDeadLetters(T work, Throwable error);

	/** Gives an item back. Somebody takes it as an abandoned one, after a while. */
	Mono<Void> leave(T work);

	/** Says that this instance still works on these items. */
	Mono<Void> renew(Collection<String> ids);

	/** Removes instances that are gone and have no items left. */
	Mono<Void> dropConsumers();

}
