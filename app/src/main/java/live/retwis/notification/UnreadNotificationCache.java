package live.retwis.notification;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.account.UnreadNotificationCounter;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;

import org.springframework.stereotype.Component;

/**
 * How many notifications users have not read, so that most pages need no command for it.
 * The log tells when a number changes, within a second, as it tells open pages.
 */
@Component
class UnreadNotificationCache implements UnreadNotificationCounter, CommitLogListener {

	/** Most users in the cache, about 200 bytes each. */
	private static final int CACHED = 50_000;

	/**
	 * An instance that dies before it has logged a number leaves it wrong for this long.
	 */
	private static final Duration KEPT = Duration.ofMinutes(1);

	private final AsyncLoadingCache<String, Long> counts;

	UnreadNotificationCache(NotificationRepository notifications) {
		this.counts = Caffeine.newBuilder()
			.maximumSize(CACHED)
			.expireAfterWrite(KEPT)
			.buildAsync((userId, executor) -> notifications.count(userId));
	}

	@Override
	public CompletableFuture<Long> count(String userId) {
		return this.counts.get(userId);
	}

	/** The next page reads the number of the user again. */
	void changed(String userId) {
		this.counts.synchronous().invalidate(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		if (entry.type() == LogEntry.Type.NOTIFY) {
			changed(entry.user());
		}
	}

	@Override
	public void reset() {
		this.counts.synchronous().invalidateAll();
	}

}
