package live.retwis.account;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.log.CommitLog;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/**
 * The users who have deleted their accounts: {@code {live}:closed}, read once and then
 * kept current from the log. Nobody may see their posts, which exist until all data is
 * removed. The users stay in the list for a while after that, because a post may still
 * have been in progress.
 * <p>
 * It comes before most other log listeners. When those load posts again, they must
 * already find the author here.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class DeletedAccountsCache implements CommitLogListener {

	private final ReactiveStringRedisTemplate redis;

	/** Each user with the time at which their data was removed, in ms. */
	private final Map<String, Double> users = new ConcurrentHashMap<>();

	DeletedAccountsCache(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** Whether the user is one of them, as far as this instance has heard. */
	public boolean contains(String userId) {
		return this.users.containsKey(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case CLOSED -> this.users.put(entry.user(), Double.POSITIVE_INFINITY);
			case FREED -> {
				double now = entry.position().millis();
				// Without a name it is a reminder, and data may still be there.
				this.users.merge(entry.user(), now,
						(known, told) -> entry.facts().isEmpty() ? Math.max(known, told) : told);
				this.users.values().removeIf((cleared) -> cleared < now - CommitLog.CLOSED_KNOWN.toMillis());
			}
			default -> {
			}
		}
	}

	/** ZRANGEBYSCORE: reads the list. Until it is answered, the old content is used. */
	@Override
	public Mono<Void> prepare() {
		return this.redis.opsForZSet()
			.rangeByScoreWithScores(Keys.CLOSED_ACCOUNTS, Range.unbounded())
			.collectMap(TypedTuple::getValue, TypedTuple::getScore)
			.doOnNext((known) -> {
				this.users.keySet().retainAll(known.keySet());
				this.users.putAll(known);
			})
			.then();
	}

}
