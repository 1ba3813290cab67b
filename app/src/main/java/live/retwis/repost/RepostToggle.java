package live.retwis.repost;

import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.Post;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostRepository;
import live.retwis.post.PostToggle;
import live.retwis.post.Posting;
import live.retwis.redis.Uncancellable;
import live.retwis.web.ProblemException;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * The Repost button. Two requests at the same moment may make two reposts; the workers
 * delete the second, see {@link RepostFanOut}.
 */
@Component
@Order(2)
class RepostToggle implements PostToggle {

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final Posting posting;

	private final PostDeletion deletion;

	RepostToggle(RepostRepository reposts, PostRepository posts, Posting posting, PostDeletion deletion) {
		this.reposts = reposts;
		this.posts = posts;
		this.posting = posting;
		this.deletion = deletion;
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
	public Mono<Void> set(Viewer viewer, Post post, boolean on) {
		return Uncancellable.of(on ? repost(viewer, post) : undo(viewer, post));
	}

	private Mono<Void> repost(Viewer viewer, Post post) {
		return listed(viewer, post).hasElement()
			.filter((already) -> !already)
			.flatMap((fresh) -> this.reposts.count(post.id()))
			.flatMap((count) -> (count >= RepostRepository.MOST)
					? ProblemException.<String>of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("repost.too-many"))
					: this.posting.repost(viewer, post))
			.flatMap((repostId) -> this.reposts.add(post.id(), viewer.id(), repostId)
				.then(removeIfDeleted(viewer, post, repostId)));
	}

	/**
	 * The viewer's repost. One that is deleted is removed: the workers have not done that
	 * yet, or it was added late.
	 */
	private Mono<String> listed(Viewer viewer, Post post) {
		return this.reposts.find(post.id(), viewer.id())
			.delayUntil((repostId) -> removeIfDeleted(viewer, post, repostId))
			.flatMap((seen) -> this.reposts.find(post.id(), viewer.id()));
	}

	private Mono<Void> removeIfDeleted(Viewer viewer, Post post, String repostId) {
		return this.posts.isThere(repostId)
			.flatMap((there) -> there ? Mono.empty() : this.reposts.remove(post.id(), viewer.id(), repostId));
	}

	private Mono<Void> undo(Viewer viewer, Post post) {
		return this.reposts.find(post.id(), viewer.id())
			.flatMap((repostId) -> this.deletion.delete(viewer, repostId)
				.then(this.reposts.remove(post.id(), viewer.id(), repostId)));
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.reposts.among(userId, postIds);
	}

}
