package live.retwis.timeline;

import java.util.Set;

import live.retwis.account.UserRepository;
import live.retwis.fanout.EntryProcessor;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowUpdates;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts the posts of who is followed into the follower's home timeline, and takes those of
 * who is no longer followed out. What is pulled needs neither.
 */
@Component
class FollowFanOut implements EntryProcessor {

	private final UserRepository users;

	private final FollowRepository follows;

	private final FollowUpdates updates;

	private final FollowedPosts followedPosts;

	private final UnfollowedPosts unfollowedPosts;

	FollowFanOut(UserRepository users, FollowRepository follows, FollowUpdates updates, FollowedPosts followedPosts,
			UnfollowedPosts unfollowedPosts) {
		this.users = users;
		this.follows = follows;
		this.updates = updates;
		this.followedPosts = followedPosts;
		this.unfollowedPosts = unfollowedPosts;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.FOLLOW, LogEntry.Type.UNFOLLOW);
	}

	/**
	 * Brings the timeline in line with whether the one follows the other now, whatever
	 * the entry says; again when that changed meanwhile, for another worker may have been
	 * quicker with that.
	 */
	@Override
	public Mono<Void> apply(LogEntry entry) {
		String reader = entry.user();
		String author = entry.other();
		return severIfGone(reader, author).then(this.follows.isFollowing(reader, author))
			.flatMap((follows) -> (follows ? this.followedPosts.putIn(reader, author)
					: this.unfollowedPosts.takeOut(reader, author))
				.then(severIfGone(reader, author))
				.then(this.follows.isFollowing(reader, author))
				.flatMap((after) -> after.equals(follows) ? Mono.empty() : apply(entry)));
	}

	/** One of them deleted the account while the follow was under way. */
	private Mono<Void> severIfGone(String reader, String author) {
		return Mono.zip(this.users.isGone(reader), this.users.isGone(author), Boolean::logicalOr)
			.flatMap((gone) -> gone ? this.updates.removeSilently(reader, author) : Mono.empty());
	}

}
