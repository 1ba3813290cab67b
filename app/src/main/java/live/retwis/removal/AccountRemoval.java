package live.retwis.removal;

import java.util.List;
import java.util.Set;

import live.retwis.account.UserRepository;
import live.retwis.account.Username;
import live.retwis.fanout.EntryProcessor;
import live.retwis.fanout.FanOutQueue;
import live.retwis.fanout.FanOutTask;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Clears away what is left of a user who has deleted the account, in many small tasks, so
 * that the work of others has its turn between. Each {@link RemovalStep} finds done what
 * was done before.
 */
@Component
class AccountRemoval implements EntryProcessor {

	private final List<RemovalStep> steps;

	private final UserRepository users;

	private final CommitLog log;

	private final FanOutQueue queue;

	AccountRemoval(List<RemovalStep> steps, UserRepository users, CommitLog log, FanOutQueue queue) {
		this.steps = steps;
		this.users = users;
		this.log = log;
		this.queue = queue;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.CLOSED);
	}

	@Override
	public Mono<Void> apply(LogEntry entry) {
		return this.queue.split(entry, FanOutTask.ONE);
	}

	/** Nothing of a user who is there is removed. */
	@Override
	public Mono<Boolean> apply(FanOutTask task) {
		return this.users.isGone(task.user()).flatMap((gone) -> gone ? removeSome(task.user()) : Mono.just(true));
	}

	/** Goes on to the next step only where nothing was left for the one before. */
	private Mono<Boolean> removeSome(String userId) {
		return Flux.fromIterable(this.steps)
			.concatMap((step) -> step.removeSome(userId), 0)
			.takeUntil((nothingLeft) -> !nothingLeft)
			.last(true)
			.flatMap((nothingLeft) -> nothingLeft ? removeUser(userId).thenReturn(true) : Mono.just(false));
	}

	/** The name becomes free last of all. */
	private Mono<Void> removeUser(String userId) {
		return this.users.removeRecent(userId)
			.then(this.users.nameOf(userId).defaultIfEmpty(""))
			.flatMap((name) -> this.users.freeName(userId, name).then(this.log.nameFreed(userId, Username.fold(name))))
			.then(this.users.retire(userId));
	}

}
