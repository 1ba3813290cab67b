package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DataNodeMemory;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Posts that were fetched from the archive a short while ago, for all instances:
 * {@code archived:{slot}}. An id always has the same one of {@value #SLOTS} slots, and
 * takes it from another id. So this needs bounded memory. That the archive does not have
 * an id is kept in the same way.
 * <p>
 * Who fetches a post first puts a token into the slot, and stores the post only if the
 * token is still there. Whoever changes the archive empties the slot afterwards. So a
 * post that was read before a change is not stored after it.
 */
@Component
class SharedArchivedPostCache {

	static final int SLOTS = 65_536;

	/** How long a post is kept. */
	static final Duration KEPT = Duration.ofMinutes(10);

	/** Longest text of a slot, in characters. A longer post is not kept. */
	static final int LONGEST = 2_000;

	/** A fetch ends before: the longest statement of a page takes 2 s. */
	private static final Duration LONGEST_FETCH = Duration.ofSeconds(10);

	/** No id begins like this. */
	private static final String TOKEN = "fetched by ";

	private static final int TOKEN_BITS = 96;

	private static final LuaScript SWAP = LuaScript.named("swap-value");

	private static final JsonMapper JSON = new JsonMapper();

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	private final DataNodeMemory memory;

	SharedArchivedPostCache(DataNodeCommands data, ReactiveStringRedisTemplate redis, DataNodeMemory memory) {
		this.data = data;
		this.redis = redis;
		this.memory = memory;
	}

	/** The key of the slot of a post. */
	static String key(String id) {
		return Keys.ARCHIVED + Math.floorMod(id.hashCode(), SLOTS);
	}

	/**
	 * GET of each: the posts that are there, by id. What is not kept is fetched, and kept
	 * then.
	 * @param fetch reads posts from the archive, by id
	 */
	Mono<Map<String, ArchivedPost>> findAll(Collection<String> ids,
			Function<Collection<String>, Mono<Map<String, ArchivedPost>>> fetch) {
		return Flux.fromIterable(ids).flatMap(this::kept).collectList().flatMap((kept) -> {
			Set<String> others = new HashSet<>(ids);
			Map<String, ArchivedPost> found = new HashMap<>();
			for (Kept one : kept) {
				others.remove(one.id());
				if (one.post() != null) {
					found.put(one.id(), one.post());
				}
			}
			return others.isEmpty() ? Mono.just(found)
					: fetched(others, fetch).doOnNext(found::putAll).thenReturn(found);
		});
	}

	/**
	 * Empty when the slot has something else, or what another release has written, or is
	 * a key of another type, or cannot be read now.
	 */
	private Mono<Kept> kept(String id) {
		return this.data.get(key(id))
			.filter((text) -> text.startsWith(id))
			.map((text) -> Kept.parse(id, text.substring(id.length())))
			.onErrorComplete((error) -> error instanceof JacksonException || RedisErrorClassifier.isWrongType(error)
					|| RedisErrorClassifier.isAway(error));
	}

	/**
	 * The tokens, the fetch, then {@code swap-value.lua} for each. Without the tokens,
	 * the fetch alone.
	 */
	private Mono<Map<String, ArchivedPost>> fetched(Collection<String> ids,
			Function<Collection<String>, Mono<Map<String, ArchivedPost>>> fetch) {
		String token = TOKEN + RandomTokens.ofBits(TOKEN_BITS);
		return putTokens(ids, token).flatMap((put) -> !put ? fetch.apply(ids)
				: fetch.apply(ids)
					.delayUntil((found) -> Flux.fromIterable(ids)
						.map((id) -> new Kept(id, found.get(id)))
						.filter((kept) -> kept.text().length() <= LONGEST)
						.flatMap((kept) -> SWAP.run(this.redis, List.of(key(kept.id())), token, kept.text(),
								Long.toString(KEPT.toMillis())))
						.then()
						.onErrorComplete()));
	}

	/**
	 * SET of each.
	 * @return false when a data node is nearly full, or takes no writes now
	 */
	private Mono<Boolean> putTokens(Collection<String> ids, String token) {
		return this.memory.isNearlyFull() ? Mono.just(false)
				: Mono.whenDelayError(
						ids.stream().map((id) -> this.redis.opsForValue().set(key(id), token, LONGEST_FETCH)).toList())
					.thenReturn(true)
					.onErrorReturn(RedisErrorClassifier::isAway, false);
	}

	/** DEL: the posts have changed in the archive. */
	Mono<Void> forget(Collection<String> ids) {
		List<String> keys = new ArrayList<>();
		ids.forEach((id) -> keys.add(key(id)));
		return keys.isEmpty() ? Mono.empty() : this.redis.delete(keys.toArray(String[]::new)).then();
	}

	/**
	 * What a slot has.
	 *
	 * @param id the post's id
	 * @param post the post; null when the archive does not have it
	 */
	private record Kept(String id, @Nullable ArchivedPost post) {

		static Kept parse(String id, String post) {
			return new Kept(id, post.isEmpty() ? null : JSON.readValue(post, ArchivedPost.class));
		}

		String text() {
			return this.id + ((this.post != null) ? JSON.writeValueAsString(this.post) : "");
		}

	}

}
