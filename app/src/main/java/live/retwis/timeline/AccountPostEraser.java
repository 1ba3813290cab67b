package live.retwis.timeline;

import java.util.List;
import java.util.function.Function;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.PostArchive;
import live.retwis.post.PostCountUpdates;
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

	private final PostCountUpdates counts;

	private final DeletedPostUnlister posts;

	private final PostArchive archive;

	AccountPostEraser(PostDeletion deletion, ReplyCountUpdater replyCounts, PostCountUpdates counts,
			DeletedPostUnlister posts, PostArchive archive) {
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
				(away) -> this.archive.closed(userId).then(this.posts.postpone(userId, postId)).thenReturn(List.of())));
	}

	private Mono<Void> erase(String userId, List<String> postIds, Function<String, Mono<List<String>>> eraseOne) {
		return Flux.fromIterable(postIds)
			.flatMap(eraseOne, CONCURRENCY)
			.flatMapIterable(Function.identity())
			.distinct()
			.collectList()
			.filter((related) -> !related.isEmpty())
			.flatMap((related) -> this.counts.tellOfMany(userId, related));
	}

	/** Returns the ids of the posts that it replied to or reposted. */
	private Mono<List<String>> erase(String userId, String postId) {
		return this.deletion.erase(postId, userId)
			.collectList()
			.delayUntil((related) -> this.replyCounts.withdrawUntold(postId))
			.delayUntil((related) -> this.posts.remove(userId, postId));
	}

}
