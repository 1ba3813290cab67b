package live.retwis.account;

import java.util.Set;
import java.util.function.Function;

import live.retwis.locking.GuardedWrites;
import live.retwis.locks.Lease;
import live.retwis.locks.LockException;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Suspends users and restores them. The commit is a single script that sets the user's
 * state while a lease guards the user. To suspend also increments the auth generation, so
 * that every session is over. The log entry is written under the same lease, and the
 * entry of an earlier write that is still on its way is refused. So a user's last such
 * entry always matches the stored state.
 */
@Component
public class AccountSuspension implements IntentRecovery {

	private final AccountStateRepository accounts;

	private final DataClock clock;

	private final CommitLog log;

	private final GuardedWrites guard;

	private final Intents intents;

	AccountSuspension(AccountStateRepository accounts, DataClock clock, CommitLog log, GuardedWrites guard,
			Intents intents) {
		this.accounts = accounts;
		this.clock = clock;
		this.log = log;
		this.guard = guard;
		this.intents = intents;
	}

	/**
	 * Suspends a user ({@code true}), or restores the user. Doing it again only writes
	 * the log entry again.
	 * @return false when there is no such user; {@link SuspensionPausedException} when
	 * the lock could not be had or was lost
	 */
	public Mono<Boolean> set(String userId, boolean suspended) {
		Intent intent = intent(userId, suspended ? "suspend" : "restore");
		return this.clock.millis()
			.flatMap((now) -> guarded(intent,
					(lease) -> this.intents.supersede(intent)
						.then(this.accounts.setSuspended(userId, suspended, lease, now))
						.flatMap((there) -> (there ? tell(intent) : this.intents.drop(intent)).thenReturn(there))
						.switchIfEmpty(Mono.error(SuspensionPausedException::new))));
	}

	/** HMGET: whether a user is suspended now. False when there is no such user. */
	public Mono<Boolean> isSuspended(String userId) {
		return this.accounts.find(userId).map(AccountStateRepository.SUSPENDED::equals).defaultIfEmpty(false);
	}

	/** Logs once more whether a user is suspended. */
	public Mono<Void> tellAgain(String userId) {
		Intent intent = intent(userId, "tell");
		return guarded(intent, (lease) -> tell(intent));
	}

	private static Intent intent(String userId, String what) {
		return Intent.of(Intent.Kind.SUSPENSION, userId, what);
	}

	private <T> Mono<T> guarded(Intent intent, Function<Lease, Mono<T>> body) {
		return this.guard.write(intent, Keys.user(intent.subject()), body,
				(done) -> done.onErrorMap(LockException.class, (missed) -> new SuspensionPausedException()));
	}

	private Mono<Void> tell(Intent intent) {
		return this.accounts.find(intent.subject())
			.filter((state) -> !state.equals(AccountStateRepository.DELETED))
			.flatMap((state) -> this.log.suspensionChanged(intent, intent.subject(),
					state.equals(AccountStateRepository.SUSPENDED)))
			.then();
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.SUSPENSION);
	}

	/** Writes the log entry, also when nothing has changed. */
	@Override
	public Mono<Void> finish(Intent intent) {
		return this.guard.repairNow(Keys.user(intent.subject()), (lease) -> tell(intent));
	}

	/** The lock of the user could not be had, or was lost. */
	public static class SuspensionPausedException extends RuntimeException {

		SuspensionPausedException() {
			super("Too few lock nodes answer, or somebody else is changing this user. Run the command again.");
		}

	}

}
