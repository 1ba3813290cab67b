package live.retwis.doctor;

import java.util.List;

import live.retwis.locking.LockProperties;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * Keys that the locks keep in the data store: the lock nodes and the lease time in use,
 * and the fences, which live as long as a lease.
 */
@Component
class LockRules implements RuleSet {

	private final LockProperties locks;

	LockRules(LockProperties locks) {
		this.locks = locks;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(KeySchema.single(Keys.LOCK_SET, "string", (rest) -> Flux.empty()), new KeySchema(Keys.FENCE,
				(guarded) -> guarded.endsWith("}"), "string", this.locks.lease(), (guarded) -> Flux.empty()));
	}

}
