package live.retwis.delivery;

import java.util.List;

import live.retwis.fanout.EntrySplitter;
import live.retwis.fanout.FanOutTask;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowerListRepository;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelineWriter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds a post to the home timelines of its author's followers, or removes it from them.
 * It works on one page of followers at a time, so that memory and concurrent commands are
 * bounded.
 */
@Component
class FollowerTimelines {

	/** Followers in a page. */
	private static final int PAGE = 1000;

	private final FollowerListRepository followers;

	private final FollowRepository follows;

	private final HomeTimelineWriter timelines;

	private final PostRepository posts;

	private final EntrySplitter splitter;

	private final RecentUnfollowers unfollows;

	FollowerTimelines(FollowerListRepository followers, FollowRepository follows, HomeTimelineWriter timelines,
			PostRepository posts, EntrySplitter splitter, RecentUnfollowers unfollows) {
		this.followers = followers;
		this.follows = follows;
		this.timelines = timelines;
		this.posts = posts;
		this.splitter = splitter;
		this.unfollows = unfollows;
	}

	/**
	 * Updates the timelines of all followers for an entry. If there are many followers,
	 * adds one task for each shard instead. Any instance can take such a task.
	 */
	Mono<Void> spread(LogEntry entry) {
		return this.followers.shards(entry.user())
			.flatMap((shards) -> (shards.last() == 0) ? apply(FanOutTask.whole(entry))
					: this.splitter.split(entry, shards.begins()));
	}

	/**
	 * Updates the timelines of a task's followers. A post that was deleted while it was
	 * added is removed again, because its deletion may have been processed before that.
	 */
	Mono<Void> apply(FanOutTask task) {
		if (task.type() == LogEntry.Type.DELETE) {
			return remove(task);
		}
		return ifThere(task, add(task)).then(ifGone(task, remove(task)));
	}

	private Mono<Void> ifThere(FanOutTask task, Mono<Void> step) {
		return this.posts.isThere(task.post()).flatMap((there) -> there ? step : Mono.empty());
	}

	private Mono<Void> ifGone(FanOutTask task, Mono<Void> step) {
		return this.posts.isThere(task.post()).flatMap((there) -> there ? Mono.empty() : step);
	}

	/**
	 * Adds the post. Followers without a timeline are skipped, because their timeline
	 * will be built from the authors' lists.
	 */
	private Mono<Void> add(FanOutTask task) {
		return pages(task).concatMap((page) -> this.timelines.add(page.readers(), task.post(), task.committed())
			.then(this.followers.removed(task.user()))
			.flatMap((removed) -> (removed == page.removed()) ? Mono.empty()
					: removeFromUnfollowers(task, page.readers())),
				1)
			.then();
	}

	/**
	 * Removes the post from the timelines of readers who unfollowed while their page was
	 * written. The worker of the unfollow may have removed the author's posts before this
	 * post was added. A reader who follows again meanwhile gets the post back, because
	 * the worker of that follow may have added it before it was removed here.
	 */
	private Mono<Void> removeFromUnfollowers(FanOutTask task, List<String> readers) {
		return filter(task, readers, false).flatMap((left) -> left.isEmpty() ? Mono.empty()
				: this.timelines.remove(left, List.of(task.post())).then(addToFollowers(task, left)));
	}

	/**
	 * Adds the post for those readers who follow the author again. Then checks once more
	 * whether the post is deleted, and whether they still follow.
	 */
	private Mono<Void> addToFollowers(FanOutTask task, List<String> readers) {
		return filter(task, readers, true).flatMap((back) -> back.isEmpty() ? Mono.empty()
				: ifThere(task, this.timelines.add(back, task.post(), task.committed()).then())
					.then(ifGone(task, this.timelines.remove(back, List.of(task.post()))))
					.then(removeFromUnfollowers(task, back)));
	}

	/** The readers who follow the author now, or those who do not. */
	private Mono<List<String>> filter(FanOutTask task, List<String> some, boolean following) {
		return Flux.fromIterable(some)
			.filterWhen(
					(reader) -> this.follows.isFollowing(reader, task.user()).map((follows) -> follows == following))
			.collectList();
	}

	/**
	 * Removes the post from timelines of readers who have unfollowed its author. A worker
	 * that died may have added it there. Nobody knows which readers were in that worker's
	 * page. So this checks all readers who have unfollowed since the post was committed.
	 * The log names them.
	 */
	Mono<Void> recheckUnfollows(FanOutTask task) {
		return (task.type() != LogEntry.Type.POST) ? Mono.empty()
				: this.followers.removed(task.user())
					.filter((removed) -> removed > 0)
					.flatMap((some) -> this.unfollows.of(task.user(), task.committed()))
					.flatMapIterable((readers) -> readers)
					.buffer(PAGE)
					.concatMap((readers) -> removeFromUnfollowers(task, readers).then(addToFollowers(task, readers)), 1)
					.then();
	}

	private Mono<Void> remove(FanOutTask task) {
		return pages(task).concatMap((page) -> this.timelines.remove(page.readers(), List.of(task.post())), 1).then();
	}

	private Flux<Page> pages(FanOutTask task) {
		return page(task, new Cursor(task.from(), ""))
			.expand((page) -> page.isLast() ? Mono.empty() : page(task, page.end()));
	}

	private Mono<Page> page(FanOutTask task, Cursor after) {
		return this.followers.earliest(task.user(), after, PAGE)
			.map((read) -> new Page(task, read.places(), read.removed()));
	}

	/**
	 * A page of a task's followers.
	 *
	 * @param places places of the followers; the last ones may be beyond the task's range
	 * @param removed how many followers were ever removed before the page was read
	 */
	private record Page(FanOutTask task, List<Cursor> places, long removed) {

		List<String> readers() {
			return this.places.stream()
				.filter((place) -> place.score() < this.task.until())
				.map(Cursor::member)
				.toList();
		}

		boolean isLast() {
			return this.places.size() < PAGE || end().score() >= this.task.until();
		}

		Cursor end() {
			return this.places.get(this.places.size() - 1);
		}

	}

}
