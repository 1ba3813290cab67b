package live.retwis.account;

import java.util.List;
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
 * session there, and since when. After a change of the password there is also the auth
 * generation that began with it. Nothing else is stored: no address and no name of a
 * browser.
 */
@Repository
class KnownDevices {

	/** Most browsers of a user. A new one takes the place of the oldest. */
	static final int MOST = 20;

	private static final LuaScript KEEP = LuaScript.named("keep-device");

	private static final LuaScript FORGET_OTHERS = LuaScript.named("forget-devices");

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
	 * {@code keep-device.lua}: remembers the browser and its session, unless the password
	 * was changed after that generation.
	 * @return token hash of the session that was in this browser before
	 */
	Mono<String> keep(String userId, DeviceCookie device, String tokenHash, String generation) {
		return this.clock.millis()
			.flatMap((now) -> KEEP.run(this.redis, List.of(Keys.devicesOf(userId)), device.hashFor(userId), tokenHash,
					Long.toString(now), Integer.toString(MOST), Long.toString(SessionCookie.LIFE.toSeconds()),
					generation))
			.flatMap((answer) -> Mono.justOrEmpty(answer.stream().findFirst()));
	}

	/**
	 * {@code forget-devices.lua}: all browsers except this one have to be logged in once
	 * more, with the password that this generation began with.
	 */
	Mono<Void> forgetOthers(String userId, Optional<DeviceCookie> device, String generation) {
		return FORGET_OTHERS
			.run(this.redis, List.of(Keys.devicesOf(userId)), device.map((cookie) -> cookie.hashFor(userId)).orElse(""),
					generation, Long.toString(SessionCookie.LIFE.toSeconds()))
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
