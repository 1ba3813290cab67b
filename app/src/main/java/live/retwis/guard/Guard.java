package live.retwis.guard;

import java.util.function.Function;

import live.retwis.locks.Lease;
import live.retwis.locks.LockOptions;
import live.retwis.locks.RedLock;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Runs what changes several keys at once, one at a time for each name or user, on
 * whichever instance.
 */
@Component
public class Guard {

	private final RedLock locks;

	private final LockOptions options;

	private final Agreement agreement;

	Guard(RedLock locks, LockProperties properties, Agreement agreement) {
		this.locks = locks;
		this.options = properties.options();
		this.agreement = agreement;
	}

	/**
	 * Runs a body while a lease guards that key. Its one decisive write is a script that
	 * checks {@code fence:{key}} against the lease's owner. The body is cancelled when
	 * the lease is over; the lock is given back in any case.
	 * @param key what is guarded, a key of the data store
	 * @return what the body returns; {@link live.retwis.locks.LockTaken} or
	 * {@link live.retwis.locks.NoQuorum} when {@code retwis.locks.wait} is over,
	 * {@link live.retwis.locks.LeaseExpired} when the lease is over before the body: then
	 * read again what the write became
	 */
	public <T> Mono<T> with(String key, Function<Lease, Mono<T>> body) {
		return this.agreement.check().then(Mono.defer(() -> this.locks.withLock(key, this.options, body)));
	}

}
