package live.retwis.timeline;

import java.util.List;
import java.util.Set;

import live.retwis.account.UserRepository;
import live.retwis.fanout.EntryProcessor;
import live.retwis.follow.FollowRepository;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
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

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final TimelineRebuild rebuild;

	private final DeletedPostSweeper deletedPostSweeper;

	private final UnfollowedPosts unfollowedPosts;

	FollowFanOut(UserRepository users, FollowRepository follows, TimelineRepository timelines, HomeTimelines homes,
			TimelineRebuild rebuild, DeletedPostSweeper deletedPostSweeper, UnfollowedPosts unfollowedPosts) {
		this.users = users;
		this.follows = follows;
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
		this.deletedPostSweeper = deletedPostSweeper;
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
			.flatMap((follows) -> (follows ? merge(reader, author) : this.unfollowedPosts.takeOut(reader, author))
				.then(severIfGone(reader, author))
				.then(this.follows.isFollowing(reader, author))
				.flatMap((after) -> after.equals(follows) ? Mono.empty() : apply(entry)));
	}

	/** One of them deleted the account while the follow was under way. */
	private Mono<Void> severIfGone(String reader, String author) {
		return Mono.zip(this.users.isGone(reader), this.users.isGone(author), Boolean::logicalOr)
			.flatMap((gone) -> gone ? this.follows.sever(reader, author) : Mono.empty());
	}

	/** A post may have begun the timeline since it was found that there is none. */
	private Mono<Void> merge(String reader, String author) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.homes.merge(reader, posts)
				.flatMap((merged) -> merged ? settle(reader, author, posts.places()) : this.rebuild.run(reader)
					.flatMap((thereByNow) -> thereByNow ? merge(reader, author) : Mono.empty())));
	}

	private Mono<Void> settle(String reader, String author, List<Cursor> merged) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.deletedPostSweeper.takeOut(reader, merged, posts.places()));
	}

}
