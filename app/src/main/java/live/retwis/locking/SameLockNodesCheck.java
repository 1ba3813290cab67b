package live.retwis.locking;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import live.retwis.locks.LockSettings;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Checks that all instances use the same lock nodes and the same lease time. This is
 * necessary because majorities of two different sets of nodes need not overlap. The first
 * instance stores its own settings in the data store, and each later one compares. They
 * compare again after the log was cut.
 */
@Component
class SameLockNodesCheck implements CommitLogListener {

	/** After so many repeats the data node counts as away. */
	private static final int MOST_REPEATS = 3;

	private final ReactiveStringRedisTemplate redis;

	private final String own;

	/**
	 * How often the log was cut. After a cut the data store may have lost the stored
	 * settings.
	 */
	private final AtomicInteger resets = new AtomicInteger();

	/**
	 * Value of {@link #resets} at the last comparison that found the same settings; -1
	 * before it.
	 */
	private volatile int agreed = -1;

	SameLockNodesCheck(ReactiveStringRedisTemplate redis, LockSettings settings, LockProperties properties) {
		this.redis = redis;
		this.own = settings.fingerprint(properties.lease());
	}

	/**
	 * SET NX and GET {@code locks:set}, in one round trip. Sends nothing if the settings
	 * have matched before. Asks again if the data node loses them between the two
	 * commands. Fails with {@link LockSetMismatchException} when they differ.
	 */
	Mono<Void> check() {
		return Mono.defer(() -> {
			int before = this.resets.get();
			return (this.agreed == before) ? Mono.empty()
					: Mono
						.zip(this.redis.opsForValue().setIfAbsent(Keys.LOCK_SET, this.own),
								this.redis.opsForValue().get(Keys.LOCK_SET), (first, noted) -> noted)
						.repeatWhenEmpty(MOST_REPEATS, Function.identity())
						.onErrorMap(IllegalStateException.class,
								(lost) -> new QueryTimeoutException("the data node keeps no " + Keys.LOCK_SET, lost))
						.flatMap((noted) -> compare(noted, before));
		});
	}

	private Mono<Void> compare(String noted, int before) {
		if (!noted.equals(this.own)) {
			return Mono.error(new LockSetMismatchException(noted, this.own));
		}
		this.agreed = before;
		return Mono.empty();
	}

	@Override
	public void accept(LogEntry entry) {
		// Log entries do not concern the lock nodes.
	}

	/**
	 * Forgets the result, because after a fail-over the data store may have lost the
	 * stored settings.
	 */
	@Override
	public void reset() {
		this.resets.incrementAndGet();
	}

	/** The other instances use other lock nodes or another lease time. */
	static class LockSetMismatchException extends RuntimeException {

		LockSetMismatchException(String noted, String own) {
			super("retwis.locks.nodes and retwis.locks.lease are \"" + own + "\" here, but \"" + noted
					+ "\" on the instances that came first.");
		}

	}

}
