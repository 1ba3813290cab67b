package live.retwis.reaction;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.account.AccountStateRepository;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes reactions count that the log has, or no longer count, and updates the counts of
 * their posts. What the user wants now decides, not what the entry says, so the order of
 * entries does not matter.
 */
@Component
class ReactionProcessor implements LogEntryProcessor {

	private final ReactionRepository reactions;

	private final PostRepository posts;

	private final AccountStateRepository accounts;

	private final PostCountWriter counts;

	ReactionProcessor(ReactionRepository reactions, PostRepository posts, AccountStateRepository accounts,
			PostCountWriter counts) {
		this.reactions = reactions;
		this.posts = posts;
		this.accounts = accounts;
		this.counts = counts;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Stream.of(LogEntry.Type.values())
			.filter((type) -> Reaction.of(type).isPresent())
			.collect(Collectors.toSet());
	}

	@Override
	public Mono<Void> apply(LogEntry entry) {
		Reaction reaction = Reaction.of(entry.type()).orElseThrow();
		return this.reactions.settle(reaction, entry.post(), entry.user())
			.then(removeIfGone(reaction, entry))
			.then(this.counts.tell(entry.post(), reaction.count(), this.reactions.count(reaction, entry.post())));
	}

	/** The user deleted the account, or the author the post, after the reaction. */
	private Mono<Void> removeIfGone(Reaction reaction, LogEntry entry) {
		return Mono
			.zip(this.accounts.isGone(entry.user()), this.posts.isThere(entry.post()),
					(userGone, postThere) -> userGone || !postThere)
			.flatMap((gone) -> gone ? this.reactions.remove(reaction, entry.post(), entry.user()) : Mono.empty());
	}

}
