package live.retwis.locking;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import live.retwis.locks.Lease;
import live.retwis.locks.LockOptions;
import live.retwis.locks.LockTaken;
import live.retwis.locks.NoQuorum;
import live.retwis.locks.RedLock;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Runs writes that change several keys. For each name or user only one such write runs at
 * a time, across all instances.
 */
@Component
public class GuardedWrites {

	/**
	 * Time after the end of a lease until its last command has arrived or never will.
	 */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final RedLock locks;

	private final LockOptions options;

	private final SameLockNodesCheck sameLockNodes;

	private final Intents intents;

	GuardedWrites(RedLock locks, LockProperties properties, SameLockNodesCheck sameLockNodes, Intents intents) {
		this.locks = locks;
		this.options = properties.options();
		this.sameLockNodes = sameLockNodes;
		this.intents = intents;
	}

	/**
	 * Runs a write of several steps. Its decisive step is a script that compares
	 * {@code fence:{key}} with the owner of the lease that guards the key. Should this
	 * instance or the request fail, the intent makes sure that another instance finishes
	 * the write.
	 * @param intent how another instance would finish the write
	 * @param key the guarded key of the data store
	 * @param body runs while the lease guards the key
	 * @param end runs after the body; it receives the body's result or error, see
	 * {@link #repair}
	 * @return the result of {@code end}
	 */
	public <A, T> Mono<T> write(Intent intent, String key, Function<Lease, Mono<A>> body,
			Function<Mono<A>, Mono<T>> end) {
		Duration longest = this.options.waitTime().plus(this.options.lease()).plus(SLACK);
		Mono<A> guarded = Mono.defer(() -> repair(key, body))
			.onErrorResume(LockTaken.class, (taken) -> this.intents.notBegun(intent, taken))
			.onErrorResume(NoQuorum.class, (none) -> this.intents.notBegun(intent, none));
		return this.intents.run(intent, longest, Mono.defer(() -> end.apply(guarded)));
	}

	/**
	 * Runs the last steps of a write, which tell the log. If a data node goes away
	 * meanwhile, they are left to another intent. When the node is back, that one takes
	 * the place of the first.
	 * @param rest how another instance would do the last steps
	 */
	public Mono<Void> conclude(Intent intent, Intent rest, Mono<?> steps) {
		return this.intents.replacing(intent, rest, Intents.SHORT, steps)
			.then()
			.onErrorComplete(RedisErrorClassifier::isAway);
	}

	/**
	 * Runs a single script under a lease of the key, without an intent. Use it for work
	 * that no log entry follows, and that is repeated anyway whenever it is found undone.
	 * @param key the guarded key of the data store
	 * @return the body's result; {@link live.retwis.locks.LockTaken} or
	 * {@link live.retwis.locks.NoQuorum} after {@code retwis.locks.wait};
	 * {@link live.retwis.locks.LeaseExpired} when the lease ends before the body: then
	 * read the data to see whether the write was made
	 */
	public <T> Mono<T> repair(String key, Function<Lease, Mono<T>> body) {
		return repair(key, this.options, body);
	}

	/**
	 * Runs a single script under a lease of the key, without waiting for the lock. Use it
	 * if the caller tries again later.
	 */
	public <T> Mono<T> repairNow(String key, Function<Lease, Mono<T>> body) {
		return repair(key, LockOptions.of(this.options.lease(), Duration.ZERO), body);
	}

	private <T> Mono<T> repair(String key, LockOptions how, Function<Lease, Mono<T>> body) {
		return this.sameLockNodes.check().then(Mono.defer(() -> {
			long asked = System.nanoTime();
			return this.locks.withLock(key, how, (lease) -> tell(lease, since(asked)).then(body.apply(lease)))
				.onErrorResume(GuardedWrites::isRefusal,
						(refusal) -> CommandRecorderContext
							.tell((recorder) -> recorder.refused(key, refusal instanceof LockTaken, since(asked)))
							.then(Mono.error(refusal)));
		}));
	}

	private static boolean isRefusal(Throwable error) {
		return error instanceof LockTaken || error instanceof NoQuorum;
	}

	private static Duration since(long asked) {
		return Duration.ofNanos(System.nanoTime() - asked);
	}

	/** Tells the request which nodes have voted. */
	private static Mono<Void> tell(Lease lease, Duration waited) {
		return CommandRecorderContext.tell((recorder) -> {
			Map<String, String> nodes = new LinkedHashMap<>();
			lease.outcomes().forEach((name, outcome) -> nodes.put(name, outcome.name()));
			recorder.locked(lease.resource(), nodes, waited, lease.remaining());
		});
	}

}
