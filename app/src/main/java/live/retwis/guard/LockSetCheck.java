package live.retwis.guard;

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

	private volatile boolean agreed;

	LockSetCheck(DataNode data, LockSettings settings, LockProperties properties) {
		this.data = data;
		this.own = settings.fingerprint(properties.lease());
	}

	/**
	 * Done at once when it agreed before: SETNX and GET {@code locks:set}. Another set is
	 * a {@link Disagreement}.
	 */
	Mono<Void> check() {
		return this.agreed ? Mono.empty()
				: Mono.defer(() -> this.data
					.both((c) -> c.setnx(Keys.LOCK_SET, this.own), (c) -> c.get(Keys.LOCK_SET), (first, noted) -> noted)
					.flatMap(this::compare));
	}

	private Mono<Void> compare(String noted) {
		if (!noted.equals(this.own)) {
			return Mono.error(new Disagreement(noted, this.own));
		}
		this.agreed = true;
		return Mono.empty();
	}

	@Override
	public void accept(LogEntry entry) {
		// Says nothing of the lock nodes.
	}

	/** The data may be another, in which nothing is noted. */
	@Override
	public void reset() {
		this.agreed = false;
	}

	/** The other instances have other lock nodes. */
	static class Disagreement extends RuntimeException {

		Disagreement(String noted, String own) {
			super("retwis.locks.nodes and retwis.locks.lease are \"" + own + "\" here, but \"" + noted
					+ "\" on the instances that came first.");
		}

	}

}
