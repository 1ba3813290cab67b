package live.retwis.locks;

import reactor.core.publisher.Mono;

/**
 * Where the protected store notes whose lease guards a resource now. The owner of that
 * store implements it. The store accepts a write only while the note still names the
 * writer. So a holder writes nothing when its lease has ended without its knowledge.
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
	 * Notes the owner of the lease for the lease's remaining validity, and replaces any
	 * other note. Called after each acquisition and before anything is read under the
	 * lock, mostly on a thread that serves the nodes: it must not block.
	 * @param lease held by a majority of the nodes
	 * @return done. An error releases the lock and fails the acquisition. Cancelled when
	 * the lease is over
	 */
	Mono<Void> claim(Lease lease);

	/**
	 * Prolongs the note if it still names the owner of the lease. The note then stays for
	 * the lease's remaining validity, and is never shortened. A note that has lapsed, or
	 * that names another owner, is left as it is, because somebody may have had the lock
	 * in between. Called after a majority of the nodes has prolonged the lease, mostly on
	 * a thread that serves the nodes: it must not block.
	 * @param lease with the validity that it is to have
	 * @return whether the note named this owner; false ends the lease. An error fails the
	 * extension, and the lease stays valid as long as before. Cancelled when the lease is
	 * over
	 */
	Mono<Boolean> renew(Lease lease);

}
