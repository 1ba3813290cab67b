package live.retwis.removal;

import java.util.List;
import java.util.Set;

import live.retwis.account.AccountDeletion;
import live.retwis.account.AccountStateRepository;
import live.retwis.fanout.EntrySplitter;
import live.retwis.fanout.FanOutTask;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the data of a user who has deleted the account. The work is done in many small
 * parts, so that other tasks get their turn in between. A {@link RemovalStep} that is
 * repeated finds its earlier work done.
 */
@Component
class DeletedAccountCleanup implements LogEntryProcessor {

	private final List<RemovalStep> steps;

	private final AccountStateRepository accounts;

	private final UserRecordRemoval last;

	private final AccountDeletion deletion;

	private final EntrySplitter splitter;

	DeletedAccountCleanup(List<RemovalStep> steps, AccountStateRepository accounts, UserRecordRemoval last,
			AccountDeletion deletion, EntrySplitter splitter) {
		this.steps = steps;
		this.accounts = accounts;
		this.last = last;
		this.deletion = deletion;
		this.splitter = splitter;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.CLOSED);
	}

	@Override
	public Mono<Void> apply(LogEntry entry) {
		return this.splitter.split(entry, FanOutTask.SINGLE);
	}

	/**
	 * Removes a part of the data. If the user still exists, a fail-over has lost the
	 * deletion. Then this deletes the account again, and removes nothing yet.
	 */
	@Override
	public Mono<Boolean> apply(FanOutTask task) {
		return this.accounts.isGone(task.user())
			.flatMap((gone) -> gone ? removeSome(task.user()) : this.deletion.repeat(task.user()).thenReturn(false));
	}

	/**
	 * Runs the steps in order. A step starts only when the step before it has nothing
	 * left to remove.
	 */
	private Mono<Boolean> removeSome(String userId) {
		return Flux.fromIterable(this.steps)
			.concatMap((step) -> step.removeSome(userId), 0)
			.takeUntil((nothingLeft) -> !nothingLeft)
			.last(true)
			.flatMap((nothingLeft) -> nothingLeft ? this.last.remove(userId).thenReturn(true) : Mono.just(false));
	}

}
