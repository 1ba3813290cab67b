package live.retwis.delivery;

import java.util.List;

import live.retwis.post.PostCleanup;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.timeline.HomeTimelineWriter;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes a deleted post and its reposts from all lists except two: the replies of the
 * post that it answers, and the home timelines of its author's followers.
 */
@Component
public class DeletedPostListCleanup {

	private final TimelineRepository timelines;

	private final HomeTimelineWriter homes;

	private final RepostsOfDeletedPostRemover reposts;

	private final List<PostCleanup> cleanups;

	private final DamagedKeyReporter damaged;

	DeletedPostListCleanup(TimelineRepository timelines, HomeTimelineWriter homes, RepostsOfDeletedPostRemover reposts,
			List<PostCleanup> cleanups, DamagedKeyReporter damaged) {
		this.timelines = timelines;
		this.homes = homes;
		this.reposts = reposts;
		this.cleanups = cleanups;
		this.damaged = damaged;
	}

	/**
	 * Removes a post, as {@link #remove(String, String)} does, but first from other
	 * lists.
	 * @param first removes it from these lists
	 * @return whether readers pulled the post
	 */
	Mono<Boolean> remove(String authorId, String postId, Mono<Void> first) {
		return passOver(first).then(remove(authorId, postId));
	}

	/**
	 * Removes a post. The author's own list comes almost last, because a post that is
	 * still there shows that the removal is not finished. Only the author's home timeline
	 * comes later, because it is built from that list.
	 * @return whether readers pulled the post
	 */
	public Mono<Boolean> remove(String authorId, String postId) {
		return removeFromOthers(authorId, postId).delayUntil((pulled) -> removeFromOwn(authorId, postId));
	}

	/**
	 * Removes a post from all lists but the author's own ones.
	 * @return whether readers pulled the post
	 */
	Mono<Boolean> removeFromOthers(String authorId, String postId) {
		return this.timelines.removeFromPublic(postId)
			.then(passOver(this.timelines.removeFromPulledOf(authorId, postId)).defaultIfEmpty(false))
			.flatMap((pulled) -> Flux.fromIterable(this.cleanups)
				.concatMap((cleanup) -> passOver(cleanup.forget(postId, PostCleanup.REMEMBERED)))
				.then(passOver(this.reposts.removeAll(postId, PostCleanup.REMEMBERED, this::remove)))
				.then(Mono.just(pulled)));
	}

	/** A list that another program has damaged keeps the post in no other one. */
	private <T> Mono<T> passOver(Mono<T> step) {
		return this.damaged.passOver(getClass().getSimpleName(), step);
	}

	/** Removes a post from the author's own lists, when it is in no other one. */
	Mono<Void> removeFromOwn(String authorId, String postId) {
		return passOver(this.timelines.removeFromPostsOf(authorId, postId))
			.then(this.homes.remove(authorId, List.of(postId)));
	}

	/** Removes a post from its author's list alone, because the rest is done later. */
	Mono<Void> postpone(String authorId, String postId) {
		return this.timelines.removeFromPostsOf(authorId, postId);
	}

}
