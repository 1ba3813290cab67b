package live.retwis.repost;

import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.Post;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostRepository;
import live.retwis.post.PostToggle;
import live.retwis.post.Posting;
import live.retwis.redis.NotConfirmedException;
import live.retwis.redis.Uncancellable;
import live.retwis.restriction.BlockedException;
import live.retwis.restriction.RestrictionRepository;
import live.retwis.web.ProblemException;
import live.retwis.web.Viewer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * The Repost button. Requests at the same moment make one repost, whichever instances
 * they reach. Undoing takes back the one that is listed, and the one that is in the log
 * but not listed yet.
 */
@Component
@Order(2)
class RepostToggle implements PostToggle {

	private static final int RETRY_AFTER_SECONDS = 5;

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final Posting posting;

	private final PostDeletion deletion;

	private final RestrictionRepository restrictions;

	RepostToggle(RepostRepository reposts, PostRepository posts, Posting posting, PostDeletion deletion,
			RestrictionRepository restrictions) {
		this.reposts = reposts;
		this.posts = posts;
		this.posting = posting;
		this.deletion = deletion;
		this.restrictions = restrictions;
	}

	@Override
	public String action(boolean on) {
		return on ? "repost" : "unrepost";
	}

	@Override
	public Message label(boolean on) {
		return on ? Message.of("repost.do") : Message.of("repost.undo");
	}

	@Override
	public RateLimit limit() {
		return RateLimit.REPOSTS;
	}

	@Override
	public String name() {
		return "reposts";
	}

	@Override
	public Mono<Boolean> set(Viewer viewer, Post post, boolean on) {
		return Uncancellable.of(on ? repost(viewer, post) : undo(viewer, post))
			.onErrorResume(NotConfirmedException.class,
					(error) -> ProblemException.later(Message.of("repost.unconfirmed"), RETRY_AFTER_SECONDS));
	}

	/** One that is found may not be confirmed by replicas yet. */
	private Mono<Boolean> repost(Viewer viewer, Post post) {
		return made(viewer, post).filterWhen((repostId) -> isThere(viewer, post, repostId), 1)
			.next()
			.flatMap((repostId) -> this.posting.confirmRepost(viewer, post)
				.then(list(viewer, post, repostId))
				.thenReturn(false))
			.switchIfEmpty(Mono
				.defer(() -> make(viewer, post).flatMap((repostId) -> list(viewer, post, repostId).thenReturn(true))));
	}

	private Mono<Boolean> list(Viewer viewer, Post post, String repostId) {
		return this.reposts.add(post.id(), viewer.id(), repostId).then(isThere(viewer, post, repostId));
	}

	/**
	 * The viewer's repost, first as the list of reposts names it, then as the log does.
	 * They differ while a request or the workers are not finished, or if a request broke
	 * off.
	 */
	private Flux<String> made(Viewer viewer, Post post) {
		return Flux.concat(this.reposts.find(post.id(), viewer.id()), this.posting.findRepost(viewer, post)).distinct();
	}

	/** A repost that is deleted is forgotten, because it is in the way of a new one. */
	private Mono<Boolean> isThere(Viewer viewer, Post post, String repostId) {
		return this.posts.isThere(repostId)
			.delayUntil((there) -> there ? Mono.empty() : forget(viewer, post, repostId));
	}

	private Mono<String> make(Viewer viewer, Post post) {
		return this.restrictions.requireNoBlock(viewer.id(), post.authorId())
			.then(this.reposts.count(post.id()))
			.flatMap((count) -> (count >= RepostRepository.MOST)
					? ProblemException.<String>of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("repost.too-many"))
					: this.posting.repost(viewer, post))
			.onErrorResume(BlockedException.class,
					(blocked) -> ProblemException.of(HttpStatus.FORBIDDEN,
							blocked.isByUser() ? Message.of("repost.unblock-first", post.author())
									: Message.of("repost.blocked", post.author())));
	}

	private Mono<Boolean> undo(Viewer viewer, Post post) {
		return made(viewer, post)
			.concatMap((repostId) -> this.deletion.delete(repostId, viewer.id())
				.delayUntil((deletion) -> forget(viewer, post, repostId)))
			.collectList()
			.map((deletions) -> deletions.contains(PostRepository.Deletion.DONE));
	}

	/**
	 * Forgets a repost. If the reposted post is deleted, the workers let its list of
	 * reposts expire. A repost that was added after that would keep the list, so it
	 * expires here again. Neither of the two deletions may be lost after that.
	 */
	private Mono<Void> forget(Viewer viewer, Post post, String repostId) {
		return this.posts.isThere(post.id())
			.flatMap((there) -> there ? this.reposts.remove(post.id(), viewer.id(), repostId)
					: this.reposts.forget(post.id(), PostCleanup.REMEMBERED)
						.then(this.deletion.deleteIfBack(post.id())))
			.then(this.posting.forgetRepost(viewer, post, repostId))
			.then(this.deletion.deleteIfBack(repostId));
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.reposts.among(userId, postIds);
	}

}
