package live.retwis.locking;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.FenceRegister;
import live.retwis.locks.Lease;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * {@code fence:{key}}: the owner of the lease that guards the key now. It lives as long
 * as the lease. A new claim replaces the owner before it, even one whose lease has ended
 * without its knowledge.
 */
@Component
class RedisFence implements FenceRegister {

	private static final LuaScript RENEW = LuaScript.named("renew-fence");

	private final ReactiveStringRedisTemplate redis;

	RedisFence(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** SET PX. */
	@Override
	public Mono<Void> claim(Lease lease) {
		return this.redis.opsForValue()
			.set(Keys.fence(lease.resource()), lease.owner(),
					Duration.ofMillis(Math.max(1, lease.remaining().toMillis())))
			.then();
	}

	/** {@code renew-fence.lua}. */
	@Override
	public Mono<Boolean> renew(Lease lease) {
		return RENEW
			.run(this.redis, List.of(Keys.fence(lease.resource())), lease.owner(),
					Long.toString(lease.remaining().toMillis()))
			.map(List.of("1")::equals);
	}

}
