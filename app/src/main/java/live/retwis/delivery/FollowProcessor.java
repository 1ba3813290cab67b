package live.retwis.delivery;

import java.util.Set;

import live.retwis.account.AccountStateRepository;
import live.retwis.fanout.LogEntryProcessor;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowWriter;
import live.retwis.log.LogEntry;
import live.retwis.redis.ConvergingWrite;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds an author's posts to a new follower's home timeline, and removes them after an
 * unfollow. Posts that readers pull are never in home timelines.
 */
@Component
class FollowProcessor implements LogEntryProcessor {

	private final AccountStateRepository accounts;

	private final FollowRepository follows;

	private final FollowWriter updates;

	private final FollowBackfill followedPosts;

	private final UnfollowCleanup unfollowedPosts;

	FollowProcessor(AccountStateRepository accounts, FollowRepository follows, FollowWriter updates,
			FollowBackfill followedPosts, UnfollowCleanup unfollowedPosts) {
		this.accounts = accounts;
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
	 * Makes the timeline match whether the reader follows the author now, whatever the
	 * entry says.
	 */
	@Override
	public Mono<Void> apply(LogEntry entry) {
		String reader = entry.user();
		String author = entry.other();
		return ConvergingWrite.of(unfollowIfGone(reader, author).then(this.follows.isFollowing(reader, author)),
				(follows) -> follows ? this.followedPosts.putIn(reader, author)
						: this.unfollowedPosts.takeOut(reader, author));
	}

	/**
	 * Removes the follow if one of the two users has deleted the account. The follow may
	 * have been in progress then.
	 */
	private Mono<Void> unfollowIfGone(String reader, String author) {
		return Mono.zip(this.accounts.isGone(reader), this.accounts.isGone(author), Boolean::logicalOr)
			.flatMap((gone) -> gone ? this.updates.removeSilently(reader, author) : Mono.empty());
	}

}
