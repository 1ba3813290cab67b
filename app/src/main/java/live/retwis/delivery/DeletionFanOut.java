package live.retwis.delivery;

import java.util.Set;

import live.retwis.account.AccountStateRepository;
import live.retwis.fanout.FanOutTask;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostRepository;
import live.retwis.post.ReplyCountUpdater;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes a deleted post from every list. The post was marked as deleted before its
 * deletion was logged. So if another worker adds it to a list later, it is still not
 * shown. A fail-over may lose the mark while the post is being removed. Then it is
 * deleted again, because nobody would put it into its lists again.
 */
@Component
class DeletionFanOut implements LogEntryProcessor {

	private final PostRepository posts;

	private final AccountStateRepository accounts;

	private final PostDeletion deletion;

	private final ReplyCountUpdater replyCounts;

	private final DeletedPostListCleanup removal;

	private final FollowerTimelines followers;

	DeletionFanOut(PostRepository posts, AccountStateRepository accounts, PostDeletion deletion,
			ReplyCountUpdater replyCounts, DeletedPostListCleanup removal, FollowerTimelines followers) {
		this.posts = posts;
		this.accounts = accounts;
		this.deletion = deletion;
		this.replyCounts = replyCounts;
		this.removal = removal;
		this.followers = followers;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.DELETE);
	}

	@Override
	public Mono<Void> apply(LogEntry entry) {
		return remove(entry, this.replyCounts.withdraw(entry.post()).flatMap(this.replyCounts::tell));
	}

	/**
	 * Removes a post. One that readers pull is in no follower's timeline.
	 * @param withdrawn removes it from the replies of another post
	 */
	private Mono<Void> remove(LogEntry entry, Mono<Void> withdrawn) {
		return this.removal.remove(entry.user(), entry.post(), withdrawn)
			.flatMap((pulled) -> (pulled || entry.pulled()) ? Mono.empty() : this.followers.spread(entry))
			.then(this.deletion.deleteIfBack(entry.post()));
	}

	@Override
	public Mono<Boolean> apply(FanOutTask task) {
		return this.followers.apply(task).then(this.deletion.deleteIfBack(task.post())).thenReturn(true);
	}

	/**
	 * Removes a post from all lists but the home timelines of followers.
	 * @param withdrawn removes it from the replies of another post
	 */
	Mono<Void> removeFromLists(String postId, String authorId, Mono<Void> withdrawn) {
		return this.removal.remove(authorId, postId, withdrawn).then(this.deletion.deleteIfBack(postId));
	}

	/**
	 * Removes a post from the lists if it was deleted meanwhile, or lost in a fail-over.
	 * If its author has deleted the account, it deletes the post. An earlier worker may
	 * have added the post to some lists before it died, so this runs even if nothing was
	 * added now.
	 * @param withdrawn removes it from what a feature has of it
	 * @return whether the post was still there
	 */
	Mono<Boolean> removeIfGone(LogEntry entry, Mono<Void> withdrawn) {
		return Mono.defer(() -> this.posts.isThere(entry.post()))
			.delayUntil((there) -> there
					? this.accounts.ifGone(entry.user(), this.deletion.withdraw(entry.post(), entry.user()))
					: remove(entry, withdrawn));
	}

}
