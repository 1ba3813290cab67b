package live.retwis.account;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Slows down guessing of passwords. Failed log-ins are counted by address and name, and
 * by address alone. They are not counted by name alone, because then anyone could lock
 * out anyone else.
 */
@Component
class LoginLimit {

	private static final LuaScript COUNT = LuaScript.named("count-try");

	private final LimitProperties limits;

	private final ReactiveStringRedisTemplate redis;

	LoginLimit(LimitProperties limits, ReactiveStringRedisTemplate redis) {
		this.limits = limits;
		this.redis = redis;
	}

	/**
	 * GET and PTTL of both counters in one round trip.
	 * @return seconds to wait; 0 when there is no need to wait
	 */
	Mono<Long> secondsToWait(ServerWebExchange exchange, String username) {
		if (!this.limits.enabled()) {
			return Mono.just(0L);
		}
		return Mono.zip(wait(byName(exchange, username), this.limits.loginTries()),
				wait(byAddress(exchange), this.limits.loginTriesByAddress()), Math::max);
	}

	private Mono<Long> wait(String key, int most) {
		return Mono.zip(this.redis.opsForValue().get(key).defaultIfEmpty("0"),
				this.redis.getExpire(key).defaultIfEmpty(Duration.ZERO),
				(count, left) -> (Integer.parseInt(count) >= most) ? Math.max(1, left.plusMillis(999).toSeconds())
						: 0L);
	}

	/** {@code count-try.lua} on both counters, in one round trip. */
	Mono<Void> failed(ServerWebExchange exchange, String username) {
		if (!this.limits.enabled()) {
			return Mono.empty();
		}
		return Mono.when(count(byName(exchange, username)), count(byAddress(exchange)));
	}

	private Mono<List<String>> count(String key) {
		return COUNT.run(this.redis, List.of(key), Long.toString(this.limits.loginWindow().toMillis()));
	}

	private static String byName(ServerWebExchange exchange, String username) {
		return Keys.loginTries(address(exchange) + ":" + (Username.isValid(username) ? Username.fold(username) : ""));
	}

	private static String byAddress(ServerWebExchange exchange) {
		return Keys.loginTries(address(exchange));
	}

	private static String address(ServerWebExchange exchange) {
		InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
		return (remote != null && remote.getAddress() != null) ? remote.getAddress().getHostAddress() : "unknown";
	}

}
