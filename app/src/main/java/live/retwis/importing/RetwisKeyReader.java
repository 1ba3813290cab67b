package live.retwis.importing;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Reads keys of the PHP Retwis in batches, so that memory is bounded. Bytes that are not
 * UTF-8 become the replacement character. A key of another type counts as empty.
 */
class RetwisKeyReader {

	private static final int BATCH = 1000;

	/** Batches of a sorted set read ahead. */
	private static final int AHEAD = 1;

	private final ReactiveStringRedisTemplate redis;

	RetwisKeyReader(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** EXISTS. */
	Mono<Boolean> exists(String key) {
		return this.redis.hasKey(key);
	}

	/**
	 * SCAN: the numbers in the names of keys, which stand between the prefix and a colon
	 * or the end.
	 */
	Flux<Long> numbers(String prefix) {
		return this.redis.scan(ScanOptions.scanOptions().match(prefix + "*").count(BATCH).build())
			.map((key) -> RetwisNumber.parse(key.substring(prefix.length()).split(":", 2)[0]))
			.filter(OptionalLong::isPresent)
			.map(OptionalLong::getAsLong);
	}

	/** HMGET: the values of the fields; empty texts for those that are missing. */
	Mono<List<String>> fields(String key, String... names) {
		return this.redis.<String, String>opsForHash()
			.multiGet(key, List.of(names))
			.map(RetwisKeyReader::texts)
			.onErrorResume(RedisErrorClassifier::isWrongType,
					(error) -> Mono.just(Collections.nCopies(names.length, "")));
	}

	/** MGET: the values; empty texts for those that are missing. */
	Mono<List<String>> values(String... keys) {
		return this.redis.opsForValue().multiGet(List.of(keys)).map(RetwisKeyReader::texts);
	}

	/** MGET: the numbers in the counters of users and of posts. */
	Mono<HighestSourceNumbers> given(String users, String posts) {
		return values(users, posts)
			.map((texts) -> new HighestSourceNumbers(counter(texts.get(0)), counter(texts.get(1))));
	}

	private static long counter(String text) {
		return RetwisNumber.parse(text).orElse(Long.MAX_VALUE);
	}

	/** ZSCORE; an empty text when it is missing. */
	Mono<String> score(String key, String member) {
		return this.redis.opsForZSet()
			.score(key, member)
			.map(String::valueOf)
			.onErrorResume(RedisErrorClassifier::isWrongType, (error) -> Mono.empty())
			.defaultIfEmpty("");
	}

	/** ZRANGE WITHSCORES in batches: all members, lowest score first. */
	Flux<TypedTuple<String>> sorted(String key) {
		return sorted(key, 0).expand((batch) -> batch.isLast() ? Mono.empty() : sorted(key, batch.end()))
			.concatMapIterable(Batch::members, AHEAD)
			.onErrorResume(RedisErrorClassifier::isWrongType, (error) -> Flux.empty());
	}

	private Mono<Batch> sorted(String key, long begin) {
		return this.redis.opsForZSet()
			.rangeWithScores(key, Range.closed(begin, begin + BATCH - 1))
			.collectList()
			.map((members) -> new Batch(members, begin + BATCH));
	}

	/** SSCAN: all members of a set, some of them more than once. */
	Flux<String> members(String key) {
		return this.redis.opsForSet()
			.scan(key, ScanOptions.scanOptions().count(BATCH).build())
			.onErrorResume(RedisErrorClassifier::isWrongType, (error) -> Flux.empty());
	}

	/** SISMEMBER. */
	Mono<Boolean> isMember(String key, String member) {
		return this.redis.opsForSet()
			.isMember(key, member)
			.onErrorResume(RedisErrorClassifier::isWrongType, (error) -> Mono.just(false));
	}

	private static List<String> texts(Collection<@Nullable String> values) {
		return values.stream().map((value) -> Objects.requireNonNullElse(value, "")).toList();
	}

	/**
	 * Part of a sorted set.
	 *
	 * @param end where the next part begins
	 */
	private record Batch(List<TypedTuple<String>> members, long end) {

		boolean isLast() {
			return this.members.size() < BATCH;
		}

	}

}
