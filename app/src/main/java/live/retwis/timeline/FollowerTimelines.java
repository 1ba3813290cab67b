package live.retwis.timeline;

import java.util.List;

import live.retwis.fanout.FanOutQueue;
import live.retwis.fanout.FanOutTask;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.Followers;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts a post into the home timelines of its author's followers, and takes it out again:
 * page by page of followers, so that memory and what is under way are bounded.
 */
@Component
class FollowerTimelines {

	/** Followers read and timelines written at once. */
	private static final int PAGE = 1000;

	private final Followers followers;

	private final FollowRepository follows;

	private final HomeTimelines timelines;

	private final PostRepository posts;

	private final FanOutQueue queue;

	private final UnfollowsInLog unfollows;

	FollowerTimelines(Followers followers, FollowRepository follows, HomeTimelines timelines, PostRepository posts,
			FanOutQueue queue, UnfollowsInLog unfollows) {
		this.followers = followers;
		this.follows = follows;
		this.timelines = timelines;
		this.posts = posts;
		this.queue = queue;
		this.unfollows = unfollows;
	}

	/**
	 * Brings the timelines of all followers in line with an entry. If there are many
	 * followers, makes one task for each shard instead, which any instance takes.
	 */
	Mono<Void> spread(LogEntry entry) {
		return this.followers.shards(entry.user())
			.flatMap((shards) -> (shards.last() == 0) ? apply(FanOutTask.whole(entry))
					: this.queue.split(entry, shards.begins()));
	}

	/**
	 * Brings the timelines of a piece's followers in line with its entry. A post that was
	 * deleted while it was put in is taken out again, for the deletion may have passed
	 * here before.
	 */
	Mono<Void> apply(FanOutTask piece) {
		if (piece.type() == LogEntry.Type.DELETE) {
			return remove(piece);
		}
		return ifThere(piece, add(piece)).then(ifGone(piece, remove(piece)));
	}

	private Mono<Void> ifThere(FanOutTask piece, Mono<Void> step) {
		return this.posts.isThere(piece.post()).flatMap((there) -> there ? step : Mono.empty());
	}

	private Mono<Void> ifGone(FanOutTask piece, Mono<Void> step) {
		return this.posts.isThere(piece.post()).flatMap((there) -> there ? Mono.empty() : step);
	}

	/** Who has no timeline finds the post in its author's list. */
	private Mono<Void> add(FanOutTask piece) {
		return pages(piece)
			.concatMap((page) -> this.timelines.add(page.readers(), piece.post(), piece.committed())
				.then(this.followers.removed(piece.user()))
				.flatMap((removed) -> (removed == page.removed()) ? Mono.empty() : takeOut(piece, page.readers())), 1)
			.then();
	}

	/**
	 * Removes the post from the timelines of readers who unfollowed while their page was
	 * written. The worker of the unfollow may have removed the author's posts before this
	 * post came in. A reader who follows again meanwhile gets the post again, because the
	 * worker of that follow may have put it in before it was removed here.
	 */
	private Mono<Void> takeOut(FanOutTask piece, List<String> readers) {
		return readers(piece, readers, false).flatMap((gone) -> gone.isEmpty() ? Mono.empty()
				: this.timelines.remove(gone, List.of(piece.post())).then(putIn(piece, gone)));
	}

	/** Looks again, too, at whether the post is there and whether they still follow. */
	private Mono<Void> putIn(FanOutTask piece, List<String> readers) {
		return readers(piece, readers, true).flatMap((back) -> back.isEmpty() ? Mono.empty()
				: ifThere(piece, this.timelines.add(back, piece.post(), piece.committed()).then())
					.then(ifGone(piece, this.timelines.remove(back, List.of(piece.post()))))
					.then(takeOut(piece, back)));
	}

	/** Those who follow the author now, or those who do not. */
	private Mono<List<String>> readers(FanOutTask piece, List<String> some, boolean following) {
		return Flux.fromIterable(some)
			.filterWhen(
					(reader) -> this.follows.isFollowing(reader, piece.user()).map((follows) -> follows == following))
			.collectList();
	}

	/**
	 * Does the same after a worker that may have written timelines and died. Nobody knows
	 * which readers its page had. So the readers are those who have unfollowed since the
	 * post, as the log says.
	 */
	Mono<Void> settle(FanOutTask piece) {
		return (piece.type() != LogEntry.Type.POST) ? Mono.empty()
				: this.followers.removed(piece.user())
					.filter((removed) -> removed > 0)
					.flatMap((some) -> this.unfollows.of(piece.user(), piece.committed()))
					.flatMapIterable((readers) -> readers)
					.buffer(PAGE)
					.concatMap((readers) -> takeOut(piece, readers).then(putIn(piece, readers)), 1)
					.then();
	}

	private Mono<Void> remove(FanOutTask piece) {
		return pages(piece).concatMap((page) -> this.timelines.remove(page.readers(), List.of(piece.post())), 1).then();
	}

	private Flux<Page> pages(FanOutTask piece) {
		return page(piece, new Cursor(piece.from(), ""))
			.expand((page) -> page.isLast() ? Mono.empty() : page(piece, page.end()));
	}

	private Mono<Page> page(FanOutTask piece, Cursor after) {
		return this.followers.earliest(piece.user(), after, PAGE)
			.map((read) -> new Page(piece, read.places(), read.removed()));
	}

	/**
	 * Some of the followers of a piece.
	 *
	 * @param places the followers, some perhaps beyond the piece
	 * @param removed how many had ever stopped following before these were read
	 */
	private record Page(FanOutTask piece, List<Cursor> places, long removed) {

		List<String> readers() {
			return this.places.stream()
				.filter((place) -> place.score() < this.piece.until())
				.map(Cursor::member)
				.toList();
		}

		boolean isLast() {
			return this.places.size() < PAGE || end().score() >= this.piece.until();
		}

		Cursor end() {
			return this.places.get(this.places.size() - 1);
		}

	}

}
