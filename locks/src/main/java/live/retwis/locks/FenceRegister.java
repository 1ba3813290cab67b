package live.retwis.locks;

import reactor.core.publisher.Mono;

/**
 * Where the protected store notes whose lease guards a resource now. Implemented by
 * whoever owns that store, which then writes only while the note still names the writer:
 * a holder that lapsed without knowing it writes nothing.
 */
@FunctionalInterface
public interface FenceRegister {

	/** For resources that no store guards. */
	FenceRegister NONE = (lease) -> Mono.empty();

	/**
	 * Notes the lease's owner for the lease's remaining validity, replacing any other.
	 * Called after each acquisition and before anything is read under it, and again after
	 * each {@link Lease#extend()}.
	 * @param lease held by a majority of the nodes
	 * @return done; an error releases the lock and fails the acquisition, or fails the
	 * extension. Cancelled when the lease is over
	 */
	Mono<Void> claim(Lease lease);

}
