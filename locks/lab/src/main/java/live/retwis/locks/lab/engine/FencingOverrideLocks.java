package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Locks of any engine, whose owners the store checks in another way than the engine has.
 *
 * @param locks the locks themselves
 * @param fencing what the store compares
 * @param store hands out the numbers
 */
record FencingOverrideLocks(LabLocks locks, FencingMode fencing, ProtectedStore store) implements LabLocks {

	@Override
	public LockGrant tryLock(String resource, Duration lease) throws NotGrantedException {
		LockGrant grant = this.locks.tryLock(resource, lease);
		return new Refenced(grant, (this.fencing == FencingMode.NONE) ? WriteCondition.NONE
				: new WriteCondition(WriteCondition.Kind.TOKEN, this.store.nextNumber(resource)));
	}

	@Override
	public List<String> names() {
		return this.locks.names();
	}

	@Override
	public boolean reaches(int node) {
		return this.locks.reaches(node);
	}

	@Override
	public void close() {
		this.locks.close();
	}

	private record Refenced(LockGrant grant, WriteCondition guard) implements LockGrant {

		@Override
		public String owner() {
			return this.grant.owner();
		}

		@Override
		public OptionalLong validUntil() {
			return this.grant.validUntil();
		}

		@Override
		public Map<String, String> votes() {
			return this.grant.votes();
		}

		@Override
		public String extend() {
			return this.grant.extend();
		}

		@Override
		public void release() {
			this.grant.release();
		}

	}

}
