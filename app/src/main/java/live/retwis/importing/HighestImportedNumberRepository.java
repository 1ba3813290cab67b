package live.retwis.importing;

import java.util.function.Function;

import live.retwis.importing.ImportCounts.Kind;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Up to which number users, follows and posts have been imported completely:
 * {@code {import}:marks}. So a later run does not bring back what people took back since.
 * The key also has a number by which one PHP Retwis is told from another.
 */
@Repository
class HighestImportedNumberRepository {

	private static final String SOURCE = "source";

	private final ReactiveStringRedisTemplate redis;

	HighestImportedNumberRepository(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * HGET, then the import of one kind, then HSET. An import that fails or is killed
	 * leaves the mark as it was, so the next run does all of it again.
	 * @param given the last number that was given before the import began
	 * @param items imports what is not marked
	 */
	Flux<String> beyond(Kind kind, long given, Function<HighestImportedNumber, Flux<String>> items) {
		return get(kind.field()).defaultIfEmpty(0L)
			.map((before) -> new HighestImportedNumber(before, given))
			.flatMapMany((mark) -> items.apply(mark)
				.concatWith(Mono.defer(() -> put(kind.field(), mark.highest())).then(Mono.empty())));
	}

	/** HGET: which PHP Retwis was imported before; empty when none was. */
	Mono<Long> source() {
		return get(SOURCE);
	}

	/** HSET: notes which PHP Retwis is imported. */
	Mono<Void> noteSource(long source) {
		return put(SOURCE, source).then();
	}

	private Mono<Long> get(String field) {
		return this.redis.<String, String>opsForHash().get(Keys.IMPORT_MARKS, field).map(Long::parseLong);
	}

	private Mono<Boolean> put(String field, long number) {
		return this.redis.opsForHash().put(Keys.IMPORT_MARKS, field, Long.toString(number));
	}

}
