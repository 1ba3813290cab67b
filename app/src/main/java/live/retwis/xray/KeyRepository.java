package live.retwis.xray;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.account.DeletedAccountsCache;
import live.retwis.account.SuspendedAccountsCache;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Repository;

/**
 * Reads keys of any family for a viewer. It writes nothing. Keys of users who are
 * suspended or have deleted their account, and posts of such users, are hidden, as on
 * every page.
 */
@Repository
@ConditionalOnProperty("retwis.xray.enabled")
class KeyRepository {

	private static final LuaScript LOOK = LuaScript.named("look-at-key");

	private static final LuaScript READ = LuaScript.named("read-key");

	private static final int CONCURRENCY = 60;

	private static final int LONGEST_TEXT = 500;

	private final DataNodeCommands data;

	private final SuspendedAccountsCache suspended;

	private final DeletedAccountsCache closed;

	KeyRepository(DataNodeCommands data, SuspendedAccountsCache suspended, DeletedAccountsCache closed) {
		this.data = data;
		this.suspended = suspended;
		this.closed = closed;
	}

	/** {@code look-at-key.lua} for each of the keys, in one round trip. */
	Mono<Map<String, KeyMetadata>> lookAt(Collection<String> keys) {
		return Flux.fromIterable(keys).flatMap(this::lookAt, CONCURRENCY).collectMap(KeyMetadata::key);
	}

	/** {@code look-at-key.lua}. */
	Mono<KeyMetadata> lookAt(String key) {
		return this.data.run(LOOK, List.of(key))
			.map((answer) -> answer.isEmpty() ? KeyMetadata.missing(key)
					: new KeyMetadata(key, answer.get(0), answer.get(1), Long.parseLong(answer.get(2)),
							Long.parseLong(answer.get(3)), Long.parseLong(answer.get(4))));
	}

	/**
	 * {@code read-key.lua}: the first elements of a key.
	 * @param most most elements
	 */
	Mono<List<String>> read(String key, int most) {
		return this.data.run(READ, List.of(key), Integer.toString(most), Integer.toString(LONGEST_TEXT));
	}

	/**
	 * Whether the viewer may look into the key. Of a key about a post it reads who the
	 * post's author is.
	 */
	Mono<Boolean> isReadable(String key, Optional<String> viewerId) {
		if (!isReadableByName(key, viewerId)) {
			return Mono.just(false);
		}
		return Mono.justOrEmpty(KeyVisibilityRule.of(key).flatMap((family) -> family.postOf(key)))
			.flatMap((post) -> this.data.hmget(Keys.post(post), "author"))
			.map((fields) -> !isHidden(fields.get("author"), viewerId))
			.defaultIfEmpty(true);
	}

	private boolean isHidden(@Nullable String user, Optional<String> viewerId) {
		return user != null && !viewerId.equals(Optional.of(user))
				&& (this.suspended.contains(user) || this.closed.contains(user));
	}

	/** The keys among these that the viewer may look into, without a round trip. */
	List<String> readable(Collection<String> keys, Optional<String> viewerId) {
		return keys.stream().filter((key) -> isReadableByName(key, viewerId)).toList();
	}

	/** Whether the viewer may look into the key, as far as its name tells. */
	private boolean isReadableByName(String key, Optional<String> viewerId) {
		return KeyVisibilityRule.of(key)
			.filter((family) -> family.isReadable(key, viewerId))
			.filter((family) -> family.userOf(key).filter((user) -> isHidden(user, viewerId)).isEmpty())
			.isPresent();
	}

}
