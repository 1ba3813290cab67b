package live.retwis.locks;

import reactor.core.publisher.Mono;

/**
 * Where the protected store notes whose lease guards a resource now. Implemented by
 * whoever owns that store, which then writes only while the note still names the writer:
 * a holder that lapsed without knowing it writes nothing.
 */
public interface FenceRegister {

	/** For resources that no store guards. */
	FenceRegister NONE = new FenceRegister() {
		@Override
		public Mono<Void> claim(Lease lease) {
			return Mono.empty();
		}

		@Override
		public Mono<Boolean> renew(Lease lease) {
			return Mono.just(true);
		}
	};

	/**
	 * Notes the lease's owner for the lease's remaining validity, replacing any other.
	 * Called after each acquisition and before anything is read under it.
	 * @param lease held by a majority of the nodes
	 * @return done; an error releases the lock and fails the acquisition. Cancelled when
	 * the lease is over
	 */
	Mono<Void> claim(Lease lease);

	/**
	 * Still mine? Then longer: if the note names the lease's owner it stays for the
	 * lease's remaining validity, and is never shortened. A note that has lapsed, or that
	 * names another, is left as it is: somebody may have had the lock in between. Called
	 * after a majority of the nodes has prolonged the lease.
	 * @param lease with the validity that it is to have
	 * @return whether the note named its owner; false ends the lease. An error fails the
	 * extension, and the lease stays valid as long as before. Cancelled when the lease is
	 * over
	 */
	Mono<Boolean> renew(Lease lease);

}
