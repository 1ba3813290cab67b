package live.retwis.timeline;

import java.util.List;

import live.retwis.follow.FollowRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts the posts of who is followed into the follower's home timeline, and takes those of
 * who is no longer followed out. What is pulled needs neither.
 */
@Component
class FollowedPosts {

	private final FollowRepository follows;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final Rebuild rebuild;

	FollowedPosts(FollowRepository follows, TimelineRepository timelines, HomeTimelines homes, Rebuild rebuild) {
		this.follows = follows;
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
	}

	/**
	 * Brings the timeline in line with whether the one follows the other now, whatever
	 * the entry says; again when that changed meanwhile, for another worker may have been
	 * quicker with that.
	 */
	Mono<Void> apply(LogEntry entry) {
		return this.follows.isFollowing(entry.user(), entry.other())
			.flatMap((follows) -> (follows ? merge(entry) : takeOut(entry))
				.then(this.follows.isFollowing(entry.user(), entry.other()))
				.flatMap((after) -> after.equals(follows) ? Mono.empty() : apply(entry)));
	}

	private Mono<Void> merge(LogEntry entry) {
		return this.timelines.latestPushedOf(entry.other())
			.flatMap((places) -> this.homes.merge(entry.user(), places))
			.flatMap((there) -> there ? Mono.empty() : this.rebuild.ifPresent(entry.user()));
	}

	private Mono<Void> takeOut(LogEntry entry) {
		return this.timelines.latestOf(entry.other()).flatMap((places) -> this.homes.remove(entry.user(), ids(places)));
	}

	private static List<String> ids(List<Cursor> places) {
		return places.stream().map(Cursor::member).toList();
	}

}
