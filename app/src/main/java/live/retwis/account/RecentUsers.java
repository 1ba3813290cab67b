package live.retwis.account;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/** The users who registered last: {@code users:recent}. */
@Repository
public class RecentUsers {

	/** Most users in the list. */
	public static final int MOST = 1000;

	private static final LuaScript ADD = LuaScript.named("add-to-list");

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	RecentUsers(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets) {
		this.redis = redis;
		this.sortedSets = sortedSets;
	}

	/** ZREVRANGE: the users who registered last, with the time. */
	public Mono<List<Cursor>> newest(int count) {
		return this.sortedSets.highest(Keys.RECENT_USERS, Optional.empty(), count);
	}

	/** {@code add-to-list.lua}. */
	Mono<Void> add(User user) {
		return ADD
			.run(this.redis, List.of(Keys.RECENT_USERS), Integer.toString(MOST), Long.toString(user.created()),
					user.id())
			.then();
	}

	/** ZREM. */
	public Mono<Void> remove(String userId) {
		return this.redis.opsForZSet().remove(Keys.RECENT_USERS, userId).then();
	}

}
