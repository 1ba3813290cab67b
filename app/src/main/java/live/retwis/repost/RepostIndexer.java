package live.retwis.repost;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostCountType;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostListener;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds a repost to the reposts of its original, and counts them. It deletes a second
 * repost by the same user, and one whose original is deleted.
 */
@Component
class RepostIndexer implements PostListener {

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final PostDeletion deletion;

	private final PostCountWriter counts;

	RepostIndexer(RepostRepository reposts, PostRepository posts, PostDeletion deletion, PostCountWriter counts) {
		this.reposts = reposts;
		this.posts = posts;
		this.deletion = deletion;
		this.counts = counts;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return Mono.justOrEmpty(post.repostOf())
			.flatMap((original) -> list(original, post).filter(post.id()::equals)
				.filterWhen((listed) -> this.posts.isThere(original))
				.filterWhen((listed) -> this.posts.isThere(post.id()))
				.hasElement()
				.flatMap((stays) -> stays
						? this.counts.tell(original, PostCountType.REPOSTS, this.reposts.count(original))
						: withdraw(original, post)));
	}

	/** Also if a fail-over has lost one of the two posts, and nothing is stored of it. */
	private Mono<Void> withdraw(String original, Post repost) {
		return remove(original, repost.authorId(), repost.id())
			.then(this.deletion.delete(repost.id(), repost.authorId()))
			.then();
	}

	@Override
	public Mono<Void> gone(LogEntry entry) {
		return Mono.justOrEmpty(entry.repostOf()).flatMap((original) -> remove(original, entry.user(), entry.post()));
	}

	private Mono<Void> remove(String original, String userId, String repostId) {
		return this.reposts.remove(original, userId, repostId)
			.then(this.counts.tell(original, PostCountType.REPOSTS, this.reposts.count(original)));
	}

	/**
	 * Lists the repost. An earlier one of the user may have been listed late, when it was
	 * deleted already. It makes room.
	 * @return the id of the repost that is listed for the user
	 */
	private Mono<String> list(String original, Post repost) {
		Mono<String> add = this.reposts.add(original, repost.authorId(), repost.id());
		return add.filterWhen((listed) -> listed.equals(repost.id()) ? Mono.just(true) : this.posts.isThere(listed))
			.switchIfEmpty(Mono.defer(() -> this.reposts.find(original, repost.authorId())
				.flatMap((gone) -> this.reposts.remove(original, repost.authorId(), gone))
				.then(add)));
	}

}
