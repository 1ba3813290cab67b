package live.retwis.redis;

import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Finds texts by their beginning. The texts are members of sorted sets in which all
 * scores are 0, so that Redis keeps them in the order of their bytes. There is one set
 * for each first character: a cluster spreads them, and a search reads only one of them.
 */
@Component
public class PrefixIndex {

	/** The last character of Unicode. It comes after all others, and no text has it. */
	private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

	private final ReactiveStringRedisTemplate redis;

	PrefixIndex(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** The set that has a text. */
	public static String key(String family, String text) {
		return family + Character.toString(text.codePointAt(0));
	}

	/** ZADD of each text. */
	public Mono<Void> add(String family, List<String> texts) {
		return Flux.fromIterable(texts)
			.flatMap((text) -> this.redis.opsForZSet().add(key(family, text), text, 0))
			.then();
	}

	/** ZREM of each text. */
	public Mono<Void> remove(String family, List<String> texts) {
		return Flux.fromIterable(texts)
			.flatMap((text) -> this.redis.opsForZSet().remove(key(family, text), text))
			.then();
	}

	/**
	 * ZRANGEBYLEX: the first texts that begin with the prefix, in the order of their
	 * bytes.
	 */
	public Mono<List<String>> find(String family, String prefix, int count) {
		return this.redis.opsForZSet()
			.rangeByLex(key(family, prefix), Range.closed(prefix, prefix + LAST), Limit.limit().count(count))
			.collectList();
	}

}
