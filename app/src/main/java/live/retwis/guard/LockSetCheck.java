package live.retwis.guard;

import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.locks.LockSettings;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * All instances have the same lock nodes and the same lease: two majorities of different
 * sets need not have a node in common. The first instance notes its own in the data
 * store, each later one compares, and again when the log was cut.
 */
@Component
class LockSetCheck implements LogListener {

	private final DataNode data;

	private final String own;

	/** How many times the data may have become another. */
	private final AtomicInteger resets = new AtomicInteger();

	/** As of how many resets it agreed last. */
	private volatile int agreed = -1;

	LockSetCheck(DataNode data, LockSettings settings, LockProperties properties) {
		this.data = data;
		this.own = settings.fingerprint(properties.lease());
	}

	/**
	 * Done at once when it agreed before: SETNX and GET {@code locks:set}. Another set is
	 * a {@link Disagreement}.
	 */
	Mono<Void> check() {
		return Mono.defer(() -> {
			int before = this.resets.get();
			return (this.agreed == before) ? Mono.empty()
					: this.data
						.both((c) -> c.setnx(Keys.LOCK_SET, this.own), (c) -> c.get(Keys.LOCK_SET),
								(first, noted) -> noted)
						.flatMap((noted) -> compare(noted, before));
		});
	}

	private Mono<Void> compare(String noted, int before) {
		if (!noted.equals(this.own)) {
			return Mono.error(new Disagreement(noted, this.own));
		}
		this.agreed = before;
		return Mono.empty();
	}

	@Override
	public void accept(LogEntry entry) {
		// Says nothing of the lock nodes.
	}

	/** The data may be another, in which nothing is noted. */
	@Override
	public void reset() {
		this.resets.incrementAndGet();
	}

	/** The other instances have other lock nodes. */
	static class Disagreement extends RuntimeException {

		Disagreement(String noted, String own) {
			super("retwis.locks.nodes and retwis.locks.lease are \"" + own + "\" here, but \"" + noted
					+ "\" on the instances that came first.");
		}

	}

}
