package live.retwis.account;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Who has deleted the account: {@code {live}:closed}, read once, after that told by the
 * log. Nobody is to see their posts, which are there until all is cleared away; and after
 * that for a while, for one may have been under way.
 * <p>
 * Before most listeners: what these load anew must not find such a post good.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class ClosedAccounts implements LogListener {

	private final DataNode data;

	/** With the ms at which they were cleared away. */
	private final Map<String, Double> users = new ConcurrentHashMap<>();

	ClosedAccounts(DataNode data) {
		this.data = data;
	}

	/** Whether that user is one of them, as far as this instance has heard. */
	public boolean contains(String userId) {
		return this.users.containsKey(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case CLOSED -> this.users.put(entry.user(), Double.POSITIVE_INFINITY);
			case FREED -> {
				double now = entry.position().millis();
				this.users.put(entry.user(), now);
				this.users.values().removeIf((cleared) -> cleared < now - CommitLog.CLOSED_KNOWN.toMillis());
			}
			default -> {
			}
		}
	}

	/** ZRANGEBYSCORE; until it is answered, what was known counts. */
	@Override
	public Mono<Void> prepare() {
		return this.data.call((c) -> c.zrangebyscoreWithScores(Keys.CLOSED_ACCOUNTS, Range.unbounded()))
			.doOnNext((all) -> {
				Map<String, Double> known = all.stream()
					.collect(Collectors.toMap(ScoredValue::getValue, ScoredValue::getScore));
				this.users.keySet().retainAll(known.keySet());
				this.users.putAll(known);
			})
			.then();
	}

}
