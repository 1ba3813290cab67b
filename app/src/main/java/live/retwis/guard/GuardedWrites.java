package live.retwis.guard;

import java.time.Duration;
import java.util.function.Function;

import live.retwis.locks.Lease;
import live.retwis.locks.LockOptions;
import live.retwis.locks.LockTaken;
import live.retwis.locks.NoQuorum;
import live.retwis.locks.RedLock;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Runs what changes several keys at once, one at a time for each name or user, on
 * whichever instance.
 */
@Component
public class GuardedWrites {

	/** Until the last command of a lease has arrived or never will. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	private final RedLock locks;

	private final LockOptions options;

	private final LockSetCheck lockSetCheck;

	private final Intents intents;

	GuardedWrites(RedLock locks, LockProperties properties, LockSetCheck lockSetCheck, Intents intents) {
		this.locks = locks;
		this.options = properties.options();
		this.lockSetCheck = lockSetCheck;
		this.intents = intents;
	}

	/**
	 * Makes a write of several steps, of which the decisive one is a script that checks
	 * {@code fence:{key}} against the owner of the lease that guards the key. Whatever
	 * happens to this instance, or to the request, the intent brings the write to an end.
	 * @param intent how somebody else would bring it to an end
	 * @param key what is guarded, a key of the data store
	 * @param body runs while the lease guards the key
	 * @param end what is done after the body, which ends as in {@link #repair}
	 * @return what the end returns
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
	 * Runs a single script while a lease guards that key, of which nobody has to be told
	 * and which whoever looks again does again.
	 * @param key what is guarded, a key of the data store
	 * @return what the body returns; {@link live.retwis.locks.LockTaken} or
	 * {@link live.retwis.locks.NoQuorum} when {@code retwis.locks.wait} is over,
	 * {@link live.retwis.locks.LeaseExpired} when the lease is over before the body: then
	 * read again what the write became
	 */
	public <T> Mono<T> repair(String key, Function<Lease, Mono<T>> body) {
		return repair(key, this.options, body);
	}

	/** The same without waiting for the lock, for who tries again later. */
	public <T> Mono<T> repairNow(String key, Function<Lease, Mono<T>> body) {
		return repair(key, LockOptions.of(this.options.lease(), Duration.ZERO), body);
	}

	private <T> Mono<T> repair(String key, LockOptions how, Function<Lease, Mono<T>> body) {
		return this.lockSetCheck.check().then(Mono.defer(() -> this.locks.withLock(key, how, body)));
	}

}
