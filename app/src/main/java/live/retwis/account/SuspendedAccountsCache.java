package live.retwis.account;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The users whom an operator has suspended: {@code {live}:suspended}, read once and then
 * kept current from the log. Pages and streams show neither them nor their posts. All of
 * it stays stored, and is shown again when the user is restored.
 * <p>
 * It comes before most other log listeners, for the same reason as
 * {@link DeletedAccountsCache}.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class SuspendedAccountsCache implements CommitLogListener {

	private final ReactiveStringRedisTemplate redis;

	private final Set<String> users = ConcurrentHashMap.newKeySet();

	SuspendedAccountsCache(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** Whether the user is one of them, as far as this instance has heard. */
	public boolean contains(String userId) {
		return this.users.contains(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case SUSPENDED -> this.users.add(entry.user());
			case RESTORED -> this.users.remove(entry.user());
			default -> {
			}
		}
	}

	/** ZRANGE: reads the list. Until it is answered, the old content is used. */
	@Override
	public Mono<Void> prepare() {
		return this.redis.opsForZSet()
			.range(Keys.SUSPENDED, Range.unbounded())
			.collect(Collectors.toSet())
			.doOnNext((known) -> {
				this.users.retainAll(known);
				this.users.addAll(known);
			})
			.then();
	}

}
