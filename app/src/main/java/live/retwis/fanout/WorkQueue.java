package live.retwis.fanout;

import java.util.Collection;
import java.util.List;

import reactor.core.publisher.Mono;

/**
 * Work that is handed to one instance each, and to another when that one dies.
 *
 * @param <T> a piece of work
 */
interface WorkQueue<T> {

	/** Work that nobody has had yet; none when there is none. */
	Mono<List<T>> next();

	/** Work that was handed to this instance and is not done. */
	Mono<List<T>> handed();

	/** Work that a dead instance has left; what cannot be had any more is put aside. */
	Mono<List<T>> abandoned();

	/** The id that the stream has given it. */
	String id(T work);

	/** It is done; known before, nothing happens. */
	Mono<Void> done(T work);

	/** It cannot be done, and is put aside so that it stops no other. */
	Mono<Void> bury(T work, Throwable error);

	/** This instance still works on these. */
	Mono<Void> renew(Collection<String> ids);

	/** Forgets instances that are gone and have nothing left. */
	Mono<Void> dropConsumers();

}
