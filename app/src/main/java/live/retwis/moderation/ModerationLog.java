package live.retwis.moderation;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.SortedSetReader;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code {moderation}:log}: what operators asked for, by time. A nonce before each text
 * tells apart entries with the same text.
 */
@Repository
public class ModerationLog {

	/** Most entries. */
	public static final int MOST = 10_000;

	private static final LuaScript ADD = LuaScript.named("add-to-list");

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	ModerationLog(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
	}

	/** {@code add-to-list.lua}. The oldest entry makes room. */
	Mono<Void> add(String who, String what) {
		String entry = RandomTokens.ofBits(48) + " " + who + " " + what;
		return this.clock.millis()
			.flatMap((now) -> ADD.run(this.redis, List.of(Keys.MODERATION_LOG), Integer.toString(MOST),
					Long.toString(now), entry))
			.then();
	}

	/** ZREVRANGE: all entries as lines, the newest first. */
	public Flux<String> lines() {
		return this.sortedSets.highest(Keys.MODERATION_LOG, Optional.empty(), MOST)
			.flatMapIterable((entries) -> entries)
			.map((entry) -> TimeFormat.iso(entry.score()) + "  "
					+ entry.member().substring(entry.member().indexOf(' ') + 1));
	}

}
