package live.retwis.delivery;

import java.util.List;
import java.util.function.Function;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.PostArchive;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostDeletion;
import live.retwis.post.ReplyCountUpdater;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Erases posts of a deleted account and removes them from all lists. There is no log
 * entry for each post, because streams and caches already know that the account is gone.
 * One entry for many posts tells which other posts have lost a reply or a repost.
 */
@Component
class AccountPostEraser {

	private static final int CONCURRENCY = 16;

	private final PostDeletion deletion;

	private final ReplyCountUpdater replyCounts;

	private final PostCountWriter counts;

	private final DeletedPostListCleanup posts;

	private final PostArchive archive;

	AccountPostEraser(PostDeletion deletion, ReplyCountUpdater replyCounts, PostCountWriter counts,
			DeletedPostListCleanup posts, PostArchive archive) {
		this.deletion = deletion;
		this.replyCounts = replyCounts;
		this.counts = counts;
		this.posts = posts;
		this.archive = archive;
	}

	/** Erases posts. It can be repeated. Fails with {@link ArchiveAwayException}. */
	Mono<Void> erase(String userId, List<String> postIds) {
		return erase(userId, postIds, (postId) -> erase(userId, postId));
	}

	/**
	 * The same, but a post that only the archive may have, which is away, is erased when
	 * the archive is back.
	 */
	Mono<Void> eraseOrPostpone(String userId, List<String> postIds) {
		return erase(userId, postIds, (postId) -> erase(userId, postId).onErrorResume(ArchiveAwayException.class,
				(away) -> this.archive.closed(userId).then(this.posts.postpone(userId, postId)).then(Mono.empty())));
	}

	/**
	 * A post leaves its author's list last, when everybody was told of the counts that
	 * have changed. So whoever repeats this after a failure finds it again.
	 */
	private Mono<Void> erase(String userId, List<String> postIds, Function<String, Mono<Erased>> eraseOne) {
		return Flux.fromIterable(postIds).flatMap(eraseOne, CONCURRENCY).collectList().flatMap((erased) -> {
			List<String> related = erased.stream().flatMap((one) -> one.related().stream()).distinct().toList();
			return (related.isEmpty() ? Mono.<Void>empty() : this.counts.tellOfMany(userId, related))
				.thenMany(Flux.fromIterable(erased))
				.flatMap((one) -> this.posts.removeFromOwn(userId, one.postId()), CONCURRENCY)
				.then();
		});
	}

	private Mono<Erased> erase(String userId, String postId) {
		return this.deletion.erase(postId, userId)
			.collectList()
			.delayUntil((related) -> this.replyCounts.withdrawUntold(postId))
			.delayUntil((related) -> this.posts.removeFromOthers(userId, postId))
			.map((related) -> new Erased(postId, related));
	}

	/**
	 * A post that is erased.
	 *
	 * @param related ids of the posts that it replied to or reposted
	 */
	private record Erased(String postId, List<String> related) {
	}

}
