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
 */
@Repository
class ImportMarkRepository {

	private final ReactiveStringRedisTemplate redis;

	ImportMarkRepository(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * HGET, then the import of one kind, then HSET. An import that fails or is killed
	 * leaves the mark as it was, so the next run does all of it again.
	 * @param items imports what is not marked
	 */
	Flux<String> beyond(Kind kind, Function<ImportMark, Flux<String>> items) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.IMPORT_MARKS, kind.field())
			.map(Long::parseLong)
			.defaultIfEmpty(0L)
			.map(ImportMark::new)
			.flatMapMany((mark) -> items.apply(mark)
				.concatWith(Mono.defer(() -> raise(kind, mark.highest())).then(Mono.empty())));
	}

	private Mono<Boolean> raise(Kind kind, long highest) {
		return this.redis.opsForHash().put(Keys.IMPORT_MARKS, kind.field(), Long.toString(highest));
	}

}
