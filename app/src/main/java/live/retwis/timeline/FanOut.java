package live.retwis.timeline;

import live.retwis.account.UserRepository;
import live.retwis.post.PostRepository;
import live.retwis.post.Posting;
import live.retwis.post.RenderedPost;
import live.retwis.redis.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What an entry of the log means for the lists derived from it. Each step can be repeated
 * and finds its work done.
 */
@Component
class FanOut {

	private final AuthorLists delivery;

	private final PostRemoval removal;

	private final AccountRemoval accounts;

	private final FollowerTimelines followerTimelines;

	private final FollowedPosts followedPosts;

	private final ReplyCounts replyCounts;

	private final PostRepository posts;

	private final Posting posting;

	private final UserRepository users;

	private final FanOutQueue queue;

	private final FanOutTaskQueue pieces;

	FanOut(AuthorLists delivery, PostRemoval removal, AccountRemoval accounts, FollowerTimelines followerTimelines,
			FollowedPosts followedPosts, ReplyCounts replyCounts, PostRepository posts, Posting posting,
			UserRepository users, FanOutQueue queue, FanOutTaskQueue pieces) {
		this.delivery = delivery;
		this.removal = removal;
		this.accounts = accounts;
		this.followerTimelines = followerTimelines;
		this.followedPosts = followedPosts;
		this.replyCounts = replyCounts;
		this.posts = posts;
		this.posting = posting;
		this.users = users;
		this.queue = queue;
		this.pieces = pieces;
	}

	/**
	 * Brings all lists in line with an entry; of what is much work it only makes pieces,
	 * which any instance takes.
	 */
	Mono<Void> apply(LogEntry entry) {
		return switch (entry.type()) {
			case POST ->
				this.posts.require(entry.post()).flatMap((post) -> add(entry, post)).then(withdrawIfGone(entry));
			case DELETE -> delete(entry);
			case FOLLOW, UNFOLLOW -> this.followedPosts.apply(entry);
			case CLOSED -> this.queue.split(entry, FanOutTask.ONE);
			default -> Mono.empty();
		};
	}

	/** The same, where somebody may have begun with it. */
	Mono<Void> resume(LogEntry entry) {
		return apply(entry)
			.then(entry.pulled() ? Mono.empty() : this.followerTimelines.settle(FanOutTask.whole(entry)));
	}

	/** Brings lists in line with a piece of an entry. */
	Mono<Void> apply(FanOutTask fanOutTask) {
		return (fanOutTask.type() == LogEntry.Type.CLOSED)
				? this.accounts.step(fanOutTask.user())
					.flatMap((done) -> done ? Mono.empty() : this.pieces.requeue(fanOutTask))
				: this.followerTimelines.apply(fanOutTask);
	}

	/** The same, where somebody may have begun with it. */
	Mono<Void> resume(FanOutTask fanOutTask) {
		return apply(fanOutTask).then(this.followerTimelines.settle(fanOutTask));
	}

	private Mono<Void> add(LogEntry entry, RenderedPost made) {
		String replyTo = made.post().replyTo();
		return this.delivery.deliver(made.post(), entry.position(), entry.pulled())
			.then(entry.pulled() ? Mono.empty() : this.followerTimelines.spread(entry))
			.then((replyTo != null) ? this.replyCounts.tell(replyTo) : Mono.empty());
	}

	/**
	 * Deleted meanwhile, or sent before its author deleted the account. Who had the entry
	 * before may have died when some lists had the post.
	 */
	private Mono<Void> withdrawIfGone(LogEntry entry) {
		return Mono.defer(() -> Mono.zip(this.posts.isThere(entry.post()), this.users.isGone(entry.user())))
			.flatMap((now) -> !now.getT1() ? delete(entry)
					: now.getT2() ? this.posting.withdraw(entry.post(), entry.user()) : Mono.empty());
	}

	/**
	 * The post is marked already, so that a late add of another worker shows nothing. One
	 * that was pulled is in no follower's timeline.
	 */
	private Mono<Void> delete(LogEntry entry) {
		return this.replyCounts.withdraw(entry.post())
			.flatMap(this.replyCounts::tell)
			.then(this.removal.remove(entry.user(), entry.post()))
			.flatMap((pulled) -> (pulled || entry.pulled()) ? Mono.empty() : this.followerTimelines.spread(entry));
	}

}
