package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import live.retwis.follow.FollowRepository;
import live.retwis.post.CommitListener;
import live.retwis.post.Post;
import live.retwis.post.PostRepository;
import live.retwis.post.RenderedPost;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.CommitLog;
import live.retwis.redis.Cursor;
import live.retwis.redis.LogEntry;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What an entry of the log means for the lists derived from it. Each step can be repeated
 * and finds its work done.
 */
@Component
class FanOut implements CommitListener {

	/** Followers read at once. */
	private static final int FOLLOWERS = 1000;

	/** Timelines written at once; their commands share the connection with every page. */
	private static final int CONCURRENCY = 128;

	private final TimelineRepository timelines;

	private final PostRepository posts;

	private final ReplyRepository replies;

	private final FollowRepository follows;

	private final CommitLog log;

	FanOut(TimelineRepository timelines, PostRepository posts, ReplyRepository replies, FollowRepository follows,
			CommitLog log) {
		this.timelines = timelines;
		this.posts = posts;
		this.replies = replies;
		this.follows = follows;
		this.log = log;
	}

	/** Brings all lists in line with an entry. */
	Mono<Void> apply(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> this.posts.find(entry.post())
				.map(RenderedPost::post)
				.flatMap((post) -> committed(post, entry.position()).then(toFollowers(post, entry.position()))
					.then(countReplies(post.replyTo())));
			case DELETE -> delete(entry);
			case FOLLOW -> this.follows.isFollowing(entry.user(), entry.other())
				.flatMap((still) -> still ? merge(entry) : Mono.empty());
			case UNFOLLOW -> this.follows.isFollowing(entry.user(), entry.other())
				.flatMap((again) -> again ? Mono.empty() : takeOut(entry));
			default -> Mono.empty();
		};
	}

	/** The author's own lists, and the list of replies. */
	@Override
	public Mono<Void> committed(Post post, Position position) {
		Mono<Void> reply = (post.replyTo() != null) ? this.replies.add(post.replyTo(), post.id(), position.millis())
				: Mono.empty();
		return Mono.when(this.timelines.addToPostsOf(post.authorId(), post.id(), position.millis()),
				this.timelines.addToHome(post.authorId(), post.id(), position.millis()), reply);
	}

	private Mono<Void> toFollowers(Post post, Position position) {
		return forEachFollower(post.authorId(),
				(followerId) -> this.timelines.addToHome(followerId, post.id(), position.millis()));
	}

	/** The post is marked already, so that a late add of another worker shows nothing. */
	private Mono<Void> delete(LogEntry entry) {
		String postId = entry.post();
		Mono<Void> reply = this.posts.repliedTo(postId)
			.flatMap((parent) -> this.replies.remove(parent, postId).then(countReplies(parent)));
		return Mono.when(this.timelines.removeFromPublic(postId),
				this.timelines.removeFromPostsOf(entry.user(), postId),
				this.timelines.removeFromHome(entry.user(), List.of(postId)), reply, forEachFollower(entry.user(),
						(followerId) -> this.timelines.removeFromHome(followerId, List.of(postId))));
	}

	/** Tells the streams that show the post. */
	private Mono<Void> countReplies(@Nullable String postId) {
		return Mono.justOrEmpty(postId)
			.flatMap(this.posts::find)
			.flatMap((replied) -> this.replies.count(replied.post().id())
				.flatMap((count) -> this.log.repliesCounted(replied.post().id(), replied.post().authorId(), count)))
			.then();
	}

	private Mono<Void> merge(LogEntry entry) {
		return this.timelines.latestOf(entry.other())
			.flatMapIterable((places) -> places)
			.flatMap((place) -> this.timelines.addToHome(entry.user(), place.member(), place.score()), CONCURRENCY)
			.then();
	}

	private Mono<Void> takeOut(LogEntry entry) {
		return this.timelines.latestOf(entry.other())
			.flatMap((places) -> this.timelines.removeFromHome(entry.user(),
					places.stream().map(Cursor::member).toList()));
	}

	private Mono<Void> forEachFollower(String userId, java.util.function.Function<String, Mono<Void>> step) {
		return followers(userId, Optional.empty())
			.expand((page) -> (page.size() < FOLLOWERS) ? Mono.empty()
					: followers(userId, Optional.of(page.get(page.size() - 1))))
			.concatMap((page) -> Flux.fromIterable(page).flatMap((place) -> step.apply(place.member()), CONCURRENCY), 1)
			.then();
	}

	private Mono<List<Cursor>> followers(String userId, Optional<Cursor> before) {
		return this.follows.followers(userId, before, FOLLOWERS);
	}

}
