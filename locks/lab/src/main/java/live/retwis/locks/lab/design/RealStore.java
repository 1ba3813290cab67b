package live.retwis.locks.lab.design;

import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;
import live.retwis.locks.lab.engine.LockGrant;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.engine.WriteCondition;

/**
 * The lab's protected store, with the fence of a design.
 *
 * @param store the store
 * @param resource the name of the lock
 * @param fence what is compared before a write
 */
record RealStore(ProtectedStore store, String resource, FenceChoice fence) implements FencedCounter {

	@Override
	public long claim(String claiming, long validity) {
		this.store.claim(this.resource, claiming, validity / DesignScheduler.MILLI);
		return this.store.nextNumber(this.resource);
	}

	@Override
	public long read() {
		return this.store.read(this.resource);
	}

	@Override
	public boolean write(String writer, long token, long next) {
		return this.store.write(this.resource, new Writer(writer, this.fence.condition(token)), next);
	}

	/** The lock of a client, as far as the store looks at it. */
	private record Writer(String owner, WriteCondition guard) implements LockGrant {

		@Override
		public void release() {
			throw new UnsupportedOperationException("The design gives the lock back");
		}

	}

}
