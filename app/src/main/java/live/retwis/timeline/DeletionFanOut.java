package live.retwis.timeline;

import java.util.Set;

import live.retwis.account.UserRepository;
import live.retwis.fanout.EntryProcessor;
import live.retwis.fanout.FanOutTask;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import live.retwis.post.Posting;
import live.retwis.post.ReplyCounts;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Takes a deleted post out of every list. The post was marked before its deletion was
 * logged, so what another worker still adds shows nothing.
 */
@Component
class DeletionFanOut implements EntryProcessor {

	private final PostRepository posts;

	private final UserRepository users;

	private final Posting posting;

	private final ReplyCounts replyCounts;

	private final PostRemoval removal;

	private final FollowerTimelines followers;

	DeletionFanOut(PostRepository posts, UserRepository users, Posting posting, ReplyCounts replyCounts,
			PostRemoval removal, FollowerTimelines followers) {
		this.posts = posts;
		this.users = users;
		this.posting = posting;
		this.replyCounts = replyCounts;
		this.removal = removal;
		this.followers = followers;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.DELETE);
	}

	/** A post that was pulled is in no follower's timeline. */
	@Override
	public Mono<Void> apply(LogEntry entry) {
		return this.replyCounts.withdraw(entry.post())
			.flatMap(this.replyCounts::tell)
			.then(this.removal.remove(entry.user(), entry.post()))
			.flatMap((pulled) -> (pulled || entry.pulled()) ? Mono.empty() : this.followers.spread(entry));
	}

	@Override
	public Mono<Boolean> apply(FanOutTask task) {
		return this.followers.apply(task).thenReturn(true);
	}

	/**
	 * Removes a post that was put into lists and is gone: it was deleted meanwhile, or
	 * its author deleted the account after sending it. The worker that had the entry
	 * before may have died when some lists had the post.
	 */
	Mono<Void> removeIfGone(LogEntry entry) {
		return Mono.defer(() -> this.posts.isThere(entry.post()))
			.flatMap((there) -> there ? withdrawIfAuthorIsGone(entry) : apply(entry));
	}

	private Mono<Void> withdrawIfAuthorIsGone(LogEntry entry) {
		return this.users.isGone(entry.user())
			.flatMap((gone) -> gone ? this.posting.withdraw(entry.post(), entry.user()) : Mono.empty());
	}

}
