package live.retwis.tag;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Counts the posts of each tag, hour by hour, and knows which tags have the most posts of
 * the last day: {@code {trending}:{hour}}, {@code {trending}:counted} and
 * {@code {trending}:day}. The sum is made at most once a minute, and each instance keeps
 * it for a minute. A post that is deleted stays counted, but a tag without posts is not
 * shown.
 */
@Component
public class TrendingTags {

	/** Most tags of one hour. */
	public static final int MOST = 300;

	/** How long the tags of an hour are kept. */
	public static final Duration LIFE = Duration.ofHours(25);

	/** Most counted posts that are remembered, each with one of its tags. */
	public static final int MOST_COUNTED = 10_000;

	/** How long counted posts are remembered after the last one. */
	public static final Duration COUNTED_LIFE = Duration.ofHours(1);

	private static final LuaScript COUNT = LuaScript.named("count-tag");

	private static final LuaScript TRENDING = LuaScript.named("trending-tags");

	private static final int HOURS = 24;

	/** Tags that pages show. */
	private static final int SHOWN = 10;

	/** Tags that are looked at, because all posts of some may be deleted. */
	private static final int LOOKED_AT = 3 * SHOWN;

	private static final Duration KEPT = Duration.ofMinutes(1);

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final ReactiveStringRedisTemplate redis;

	private final DataNodeCommands data;

	private final DataClock clock;

	/** The tags, under the only key there is. */
	private final AsyncLoadingCache<String, List<ListedTag>> known;

	TrendingTags(ReactiveStringRedisTemplate redis, DataNodeCommands data, DataClock clock) {
		this.redis = redis;
		this.data = data;
		this.clock = clock;
		this.known = Caffeine.newBuilder()
			.expireAfterWrite(KEPT)
			.buildAsync((key, executor) -> CommandRecorderContext.toFuture(this.clock.millis().flatMap(this::read)));
	}

	/**
	 * {@code count-tag.lua}: counts a post that was committed at this time, once. Does
	 * nothing for one of more than a day ago, such as an imported one.
	 */
	Mono<Void> count(String tag, String postId, long millis) {
		return this.clock.millis()
			.filter((now) -> now - millis < LIFE.toMillis())
			.flatMap((now) -> COUNT.run(this.redis, List.of(Keys.trending(hour(millis)), Keys.TRENDING_COUNTED), tag,
					postId, Long.toString(now), Integer.toString(MOST), Long.toString(LIFE.toSeconds()),
					Integer.toString(MOST_COUNTED), Long.toString(COUNTED_LIFE.toSeconds())))
			.then();
	}

	private static long hour(long millis) {
		return TimeUnit.MILLISECONDS.toHours(millis);
	}

	/**
	 * The tags with the most posts of the last day. None while their node is away or
	 * slow, because no page has to wait for them.
	 */
	public Mono<List<ListedTag>> top() {
		return CommandRecorderContext.fromFuture(() -> this.known.get(Keys.TRENDING_DAY))
			.timeout(PATIENCE, Mono.just(List.of()))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> Mono.just(List.of()));
	}

	/** {@code trending-tags.lua}, and ZCARD for each tag. */
	private Mono<List<ListedTag>> read(long now) {
		List<String> keys = Stream
			.concat(Stream.of(Keys.TRENDING_DAY),
					LongStream.range(0, HOURS).mapToObj((ago) -> Keys.trending(hour(now) - ago)))
			.toList();
		return this.data.run(TRENDING, keys, Integer.toString(LOOKED_AT), Long.toString(KEPT.toSeconds()))
			.flatMapIterable((answer) -> IntStream.range(0, answer.size() / 2)
				.mapToObj((i) -> ListedTag.of(answer.get(2 * i), Long.parseLong(answer.get(2 * i + 1))))
				.toList())
			.flatMapSequential(
					(tag) -> this.data.zcard(Keys.tag(tag.tag())).filter((posts) -> posts > 0).map((posts) -> tag))
			.take(SHOWN)
			.collectList();
	}

}
