package live.retwis.delivery;

import java.util.Set;

import live.retwis.fanout.FanOutTask;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.log.LogEntry;
import live.retwis.post.Post;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.timeline.AuthorAndReplyListWriter;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds a post to its author's lists, to the replies of the post that it answers, and to
 * the lists of each feature that listens. Then adds it to the home timelines of the
 * author's followers, unless readers pull it.
 */
@Component
class PostFanOut implements LogEntryProcessor {

	private final RenderedPosts posts;

	private final AuthorAndReplyListWriter authorLists;

	private final FollowerTimelines followers;

	private final PostListenerNotifier listeners;

	private final DeletionFanOut deletions;

	private final DamagedKeyReporter damaged;

	PostFanOut(RenderedPosts posts, AuthorAndReplyListWriter authorLists, FollowerTimelines followers,
			PostListenerNotifier listeners, DeletionFanOut deletions, DamagedKeyReporter damaged) {
		this.posts = posts;
		this.authorLists = authorLists;
		this.followers = followers;
		this.listeners = listeners;
		this.deletions = deletions;
		this.damaged = damaged;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.POST);
	}

	/**
	 * The followers come last. If they are many, the entry is replaced with tasks for
	 * them, and nobody would do the rest again after a crash. That includes the look
	 * whether the post is gone. The timelines of followers have a look of their own.
	 */
	@Override
	public Mono<Void> apply(LogEntry entry) {
		return this.posts.require(entry.post())
			.flatMap((post) -> add(entry, post).thenReturn(true))
			.defaultIfEmpty(false)
			.flatMap((added) -> this.deletions.removeIfGone(entry, this.listeners.gone(entry))
				.filter((there) -> there && added && !entry.pulled())
				.flatMap((there) -> this.followers.spread(entry)));
	}

	/** A list that another program has damaged keeps the post from no other one. */
	private Mono<Void> add(LogEntry entry, Post made) {
		return this.damaged
			.passOver(this.authorLists.getClass().getSimpleName(),
					this.authorLists.deliver(made, entry.position(), entry.pulled()))
			.then(this.listeners.posted(made, entry.position()));
	}

	@Override
	public Mono<Void> resume(LogEntry entry) {
		return apply(entry)
			.then(entry.pulled() ? Mono.empty() : this.followers.recheckUnfollows(FanOutTask.whole(entry)));
	}

	@Override
	public Mono<Boolean> apply(FanOutTask task) {
		return this.followers.apply(task).thenReturn(true);
	}

	@Override
	public Mono<Boolean> resume(FanOutTask task) {
		return this.followers.apply(task).then(this.followers.recheckUnfollows(task)).thenReturn(true);
	}

}
