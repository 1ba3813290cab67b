package live.retwis.delivery;

import java.time.Duration;
import java.util.function.BiFunction;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.PostArchive;
import live.retwis.fanout.FanOutTask;
import live.retwis.post.PostDeletion;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.repost.RepostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes the reposts of a deleted post, without a log entry for each. Nobody need be
 * told, because no page shows a repost whose original is deleted.
 */
@Component
class RepostsOfDeletedPostRemover {

	private static final int CONCURRENCY = 16;

	/** After so many errors it ends. What is in progress then is repeated later. */
	private static final int MOST_ERRORS = 64;

	private final RepostRepository reposts;

	private final PostDeletion deletion;

	private final FollowerTimelines followers;

	private final PostArchive archive;

	RepostsOfDeletedPostRemover(RepostRepository reposts, PostDeletion deletion, FollowerTimelines followers,
			PostArchive archive) {
		this.reposts = reposts;
		this.deletion = deletion;
		this.followers = followers;
		this.archive = archive;
	}

	/**
	 * Deletes all reposts of a post. Each of them leaves the post's list of reposts last,
	 * so whoever repeats this after a failure finds those that are not done. A few that
	 * fail do not stop the others. A repost that only the archive may have, which is
	 * away, is deleted when the archive is back.
	 * @param after when the list of reposts is forgotten
	 * @param removal removes a post from its author's lists, and says whether readers
	 * pulled it; called with the author and the post
	 * @return done; of several errors it is one that says that a node is away, if there
	 * is one
	 */
	Mono<Void> removeAll(String postId, Duration after, BiFunction<String, String, Mono<Boolean>> removal) {
		return this.reposts.all(postId)
			.collectList()
			.flatMapIterable((reposts) -> reposts)
			.flatMap((repost) -> remove(repost.getKey(), repost.getValue(), removal)
				.then(this.reposts.remove(postId, repost.getKey(), repost.getValue()))
				.then(Mono.<Throwable>empty())
				.onErrorResume(Mono::just), CONCURRENCY)
			.take(MOST_ERRORS)
			.reduce((one, other) -> RedisErrorClassifier.isAway(one) ? one : other)
			.<Void>flatMap(Mono::error)
			.switchIfEmpty(this.reposts.forget(postId, after));
	}

	private Mono<Void> remove(String userId, String repostId, BiFunction<String, String, Mono<Boolean>> removal) {
		return this.deletion.erase(repostId, userId)
			.then()
			.onErrorResume(ArchiveAwayException.class, (away) -> this.archive.deleted(repostId))
			.then(Mono.defer(() -> removal.apply(userId, repostId)))
			.onErrorReturn(ArchiveAwayException.class, false)
			.flatMap((pulled) -> pulled ? Mono.<Void>empty()
					: this.followers.apply(FanOutTask.ofDeletion(repostId, userId)));
	}

}
