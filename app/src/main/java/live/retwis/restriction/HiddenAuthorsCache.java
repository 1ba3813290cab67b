package live.retwis.restriction;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.CommandRecorderContext;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Whose posts each viewer does not see, so that pages and streams need no command for it.
 * The log tells when that changes.
 */
@Component
public class HiddenAuthorsCache implements CommitLogListener {

	/** Most user ids in the cache, about 70 bytes each. */
	private static final int CACHED = 500_000;

	/** Weight of a viewer beside the hidden authors, in user ids. */
	private static final int PLACE = 5;

	/** How long an entry is cached after its last use. */
	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	private final AsyncLoadingCache<String, HiddenAuthors> hidden;

	HiddenAuthorsCache(RestrictionRepository restrictions) {
		this.hidden = Caffeine.newBuilder()
			.maximumWeight(CACHED)
			.weigher(
					(String viewer, HiddenAuthors authors) -> PLACE + authors.muted().size() + authors.blocked().size())
			.expireAfterAccess(CACHED_FOR)
			.buildAsync((viewer, executor) -> CommandRecorderContext.toFuture(restrictions.hiddenFrom(viewer)));
	}

	/** ZRANGE of both lists, unless they are in the cache. */
	public Mono<HiddenAuthors> of(String viewerId) {
		return CommandRecorderContext.fromFuture(() -> read(viewerId));
	}

	/** Whether the cache knows that a user has blocked another. It sends no command. */
	public boolean hasBlocked(String userId, String otherId) {
		HiddenAuthors known = this.hidden.synchronous().getIfPresent(userId);
		return known != null && known.blocked().contains(otherId);
	}

	/** The same as {@link #of}, begun at once. */
	CompletableFuture<HiddenAuthors> read(String viewerId) {
		return this.hidden.get(viewerId);
	}

	/** Reads the lists of a user again for the next page. */
	void changed(String userId) {
		this.hidden.synchronous().invalidate(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case MUTE, UNMUTE, BLOCK, UNBLOCK -> changed(entry.user());
			default -> {
			}
		}
	}

	@Override
	public void reset() {
		this.hidden.synchronous().invalidateAll();
	}

}
