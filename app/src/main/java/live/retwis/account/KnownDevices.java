package live.retwis.account;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.web.server.ServerWebExchange;

/**
 * {@code devices:{user}}: the browsers in which a user has logged in. The key is a hash
 * of each browser's {@link DeviceCookie}. The value is the hash of the token of the last
 * session there, and since when. Nothing else is stored: no address and no name of a
 * browser.
 */
@Repository
class KnownDevices {

	/** Most browsers of a user. A new one takes the place of the oldest. */
	static final int MOST = 20;

	private static final LuaScript KEEP = LuaScript.named("keep-device");

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	KnownDevices(ReactiveStringRedisTemplate redis, DataClock clock) {
		this.redis = redis;
		this.clock = clock;
	}

	/** HEXISTS: the hash of this browser, if the user has logged in here before. */
	Mono<String> known(ServerWebExchange exchange, String userId) {
		return Mono.justOrEmpty(DeviceCookie.of(exchange))
			.map((cookie) -> cookie.hashFor(userId))
			.filterWhen((hash) -> this.redis.opsForHash().hasKey(Keys.devicesOf(userId), hash));
	}

	/**
	 * {@code keep-device.lua}: remembers the browser and its session.
	 * @return token hash of the session that was in this browser before
	 */
	Mono<String> keep(String userId, DeviceCookie device, String tokenHash) {
		return this.clock.millis()
			.flatMap((now) -> KEEP.run(this.redis, List.of(Keys.devicesOf(userId)), device.hashFor(userId), tokenHash,
					Long.toString(now), Integer.toString(MOST), Long.toString(SessionCookie.LIFE.toSeconds())))
			.flatMap((answer) -> Mono.justOrEmpty(answer.stream().findFirst()));
	}

	/** HGETALL, HDEL: all browsers except this one have to be logged in once more. */
	Mono<Void> forgetOthers(String userId, Optional<DeviceCookie> device) {
		String key = Keys.devicesOf(userId);
		String own = device.map((cookie) -> cookie.hashFor(userId)).orElse("");
		return this.redis.opsForHash()
			.entries(key)
			.map(Map.Entry::getKey)
			.filter((hash) -> !hash.equals(own))
			.collectList()
			.filter((others) -> !others.isEmpty())
			.flatMap((others) -> this.redis.opsForHash().remove(key, others.toArray()))
			.then();
	}

	/**
	 * HMGET, then HDEL: this browser has to be logged in once more, unless a later
	 * session was opened there.
	 */
	Mono<Void> forget(String userId, DeviceCookie device, String tokenHash) {
		String key = Keys.devicesOf(userId);
		String hash = device.hashFor(userId);
		return this.redis.<String, String>opsForHash()
			.get(key, hash)
			.filter((session) -> session.startsWith(tokenHash))
			.flatMap((mine) -> this.redis.opsForHash().remove(key, hash))
			.then();
	}

	/** DEL: the account is deleted. */
	Mono<Void> remove(String userId) {
		return this.redis.delete(Keys.devicesOf(userId)).then();
	}

}
