package live.retwis.post;

import java.util.Set;
import java.util.function.Function;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.log.LogPosition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes posts. A post is marked before the log entry is written, because a marked post
 * is never shown. The workers then remove it from every list.
 */
@Component
public class PostDeletion implements IntentRecovery {

	private final PostRepository posts;

	private final RenderedPosts rendered;

	private final CommitLog log;

	private final Intents intents;

	PostDeletion(PostRepository posts, RenderedPosts rendered, CommitLog log, Intents intents) {
		this.posts = posts;
		this.rendered = rendered;
		this.log = log;
		this.intents = intents;
	}

	/** Deletes a post, whoever wrote it. */
	public Mono<PostRepository.Deletion> delete(String postId) {
		return this.posts.authorOf(postId)
			.flatMap((authorId) -> delete(postId, authorId))
			.defaultIfEmpty(PostRepository.Deletion.GONE);
	}

	/** Deletes a post, if the user is its author. */
	public Mono<PostRepository.Deletion> delete(String postId, String userId) {
		return delete(postId, userId, (intent) -> this.log.postDeleted(intent, postId, userId));
	}

	/**
	 * Deletes a post, if it exists. Open pages are not told, because it goes with
	 * something that they have removed already.
	 */
	public Mono<Void> withdraw(String postId, String authorId) {
		return delete(postId, authorId, (intent) -> this.log.postWithdrawn(intent, postId, authorId)).then();
	}

	/**
	 * Writes a log entry if this request marks the post as deleted. If another request
	 * marked it before and is not finished, its entry may be missing. Then this request
	 * writes one, too.
	 */
	private Mono<PostRepository.Deletion> delete(String postId, String userId,
			Function<Intent, Mono<LogPosition>> logged) {
		Intent intent = Intent.of(Intent.Kind.DELETION, postId, userId);
		return this.intents.run(intent, Intents.SHORT,
				mark(postId, userId, intent.text()).flatMap((deletion) -> mustTell(intent, deletion)
					.flatMap((tells) -> tells ? tell(postId, logged.apply(intent)) : this.intents.drop(intent))
					.thenReturn(deletion)));
	}

	/** Without its intent nothing is logged. It is done, or a fail-over has lost it. */
	private Mono<Void> tell(String postId, Mono<LogPosition> logged) {
		return logged.hasElement().flatMap((told) -> told ? Mono.empty() : deleteIfBack(postId));
	}

	private Mono<Boolean> mustTell(Intent intent, PostRepository.Deletion deletion) {
		return switch (deletion) {
			case DONE, BEFORE -> this.intents.mustTell(intent, deletion == PostRepository.Deletion.DONE);
			case OTHER, GONE -> Mono.just(false);
		};
	}

	private Mono<PostRepository.Deletion> mark(String postId, String userId, String mark) {
		return this.posts.delete(postId, userId, mark).doOnNext((deletion) -> this.rendered.readAgain(postId));
	}

	/**
	 * Marks a post as deleted, without a log entry. It is for a post that no page shows
	 * any more, because its author is gone, or the post that it reposts.
	 * @return the ids of the posts that it replied to or reposted
	 */
	public Flux<String> erase(String postId, String authorId) {
		return mark(postId, authorId, authorId).thenMany(this.posts.related(postId));
	}

	/**
	 * Deletes a post again that was deleted, and is there all the same. A fail-over has
	 * lost its mark, and maybe the log entry. Whoever has changed something because the
	 * post was deleted calls it afterwards.
	 */
	public Mono<Void> deleteIfBack(String postId) {
		return this.posts.isThere(postId).filter((there) -> there).flatMap((there) -> delete(postId)).then();
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.DELETION);
	}

	/**
	 * If a deletion did not mark its post, the user was told that it failed, so nothing
	 * remains to be done.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String postId = intent.subject();
		return this.posts.isThere(postId)
			.flatMap((there) -> there ? Mono.empty() : this.log.postDeleted(intent, postId, intent.detail()).then());
	}

}
