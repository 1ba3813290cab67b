package live.retwis.doctor;

import java.util.List;

import live.retwis.guard.LockProperties;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * What the locks note in the store: which nodes they are on, and for a lease who has one.
 */
@Component
class LockRules implements Rules {

	private final LockProperties locks;

	LockRules(LockProperties locks) {
		this.locks = locks;
	}

	@Override
	public List<KeySchema> families() {
		return List.of(KeySchema.single(Keys.LOCK_SET, "string", (rest) -> Flux.empty()), new KeySchema(Keys.FENCE,
				(guarded) -> guarded.endsWith("}"), "string", this.locks.lease(), (guarded) -> Flux.empty()));
	}

}
