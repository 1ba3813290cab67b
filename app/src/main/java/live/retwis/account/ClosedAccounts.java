package live.retwis.account;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LogListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Who has deleted the account and is not cleared away yet: {@code {live}:closed}, read
 * once, after that told by the log. Their posts are there for a while, and nobody is to
 * see them.
 * <p>
 * Before most listeners: what these load anew must not find such a post good.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class ClosedAccounts implements LogListener {

	private final DataNode data;

	private final Set<String> users = ConcurrentHashMap.newKeySet();

	ClosedAccounts(DataNode data) {
		this.data = data;
	}

	/** Whether that user is one of them, as far as this instance has heard. */
	public boolean contains(String userId) {
		return this.users.contains(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case CLOSED -> this.users.add(entry.user());
			case FREED -> this.users.remove(entry.user());
			default -> {
			}
		}
	}

	@Override
	public void reset() {
		this.users.clear();
	}

	/** ZRANGE. */
	@Override
	public Mono<Void> prepare() {
		return this.data.call((c) -> c.zrange(Keys.CLOSED_ACCOUNTS, 0, -1)).doOnNext(this.users::addAll).then();
	}

}
