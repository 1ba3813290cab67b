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
 * {@code archived:{slot}}. An id always has the same one of {@value #SLOTS} slots, so
 * this needs bounded memory. That the archive does not have an id is kept in the same
 * way, but not in the place of a post: anybody can ask for ids that nobody has. A post
 * that was found empties the slot of another post, and is kept when it is fetched again.
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
		return Flux.fromIterable(new HashSet<>(ids)).flatMap(this::slot).collectList().flatMap((slots) -> {
			List<Slot> others = slots.stream().filter((slot) -> slot.kept() == null).toList();
			Map<String, ArchivedPost> found = new HashMap<>();
			for (Slot slot : slots) {
				if (slot.kept() != null && slot.kept().post() != null) {
					found.put(slot.id(), slot.kept().post());
				}
			}
			return others.isEmpty() ? Mono.just(found)
					: fetched(others, fetch).doOnNext(found::putAll).thenReturn(found);
		});
	}

	/** One of another type, or one that cannot be read now, is like an empty one. */
	private Mono<Slot> slot(String id) {
		return this.data.get(key(id))
			.map((text) -> Slot.of(id, text))
			.onErrorComplete((error) -> RedisErrorClassifier.isWrongType(error) || RedisErrorClassifier.isAway(error))
			.defaultIfEmpty(new Slot(id, null, false));
	}

	/**
	 * The tokens, unless another post is in the slot, and the fetch. Then
	 * {@code swap-value.lua} for each token, and DEL for the slot of another post.
	 * Without the tokens, the fetch alone.
	 */
	private Mono<Map<String, ArchivedPost>> fetched(List<Slot> slots,
			Function<Collection<String>, Mono<Map<String, ArchivedPost>>> fetch) {
		String token = TOKEN + RandomTokens.ofBits(TOKEN_BITS);
		List<String> ids = slots.stream().map(Slot::id).toList();
		return putTokens(slots.stream().filter((slot) -> !slot.taken()).map(Slot::id).toList(), token)
			.flatMap((put) -> !put ? fetch.apply(ids)
					: fetch.apply(ids)
						.delayUntil((found) -> Flux.fromIterable(slots)
							.flatMap((slot) -> keep(slot, new Kept(slot.id(), found.get(slot.id())), token))
							.then()
							.onErrorComplete()));
	}

	private Mono<Void> keep(Slot slot, Kept kept, String token) {
		String text = kept.text();
		if (text.length() > LONGEST || (slot.taken() && kept.post() == null)) {
			return Mono.empty();
		}
		return slot.taken() ? forget(Set.of(slot.id()))
				: SWAP.run(this.redis, List.of(key(slot.id())), token, text, Long.toString(KEPT.toMillis())).then();
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
	 * The slot of an id.
	 *
	 * @param kept what is kept of the id; null for nothing, or for what another release
	 * has written
	 * @param taken whether it has another post
	 */
	private record Slot(String id, @Nullable Kept kept, boolean taken) {

		/** How the text of a post ends. A token and the id of no post do not. */
		private static final String POST_END = "}";

		static Slot of(String id, String text) {
			if (!text.startsWith(id)) {
				return new Slot(id, null, text.endsWith(POST_END));
			}
			try {
				return new Slot(id, Kept.parse(id, text.substring(id.length())), false);
			}
			catch (JacksonException ex) {
				return new Slot(id, null, false);
			}
		}

	}

	/**
	 * What is kept of an id.
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
