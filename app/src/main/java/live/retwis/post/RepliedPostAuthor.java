package live.retwis.post;

import live.retwis.account.UsernameRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Tells whom a post replies to. While the archive is away that has the other post, the
 * name tells it that the reply was made for. So no worker waits for the archive.
 */
@Component
public class RepliedPostAuthor {

	private final RenderedPosts posts;

	private final UsernameRepository usernames;

	RepliedPostAuthor(RenderedPosts posts, UsernameRepository usernames) {
		this.posts = posts;
		this.usernames = usernames;
	}

	/**
	 * The id of the author of the post that this one replies to; empty when this is no
	 * reply, or when the other post is deleted.
	 */
	public Mono<String> of(Post post) {
		return authorOf(post.replyTo()).onErrorResume(ArchiveAwayException.class,
				(away) -> Mono.justOrEmpty(post.replyAuthor()).flatMap(this.usernames::findId));
	}

	/**
	 * The same for the entry of a post of which nothing else may be stored. It is empty
	 * also while only the archive has the other post, and is away.
	 */
	public Mono<String> of(LogEntry entry) {
		return authorOf(entry.replyTo().orElse(null)).onErrorComplete(ArchiveAwayException.class);
	}

	/**
	 * The id of the author of the post that this one reposts; empty when that is deleted.
	 * Fails with {@link ArchiveAwayException} when only the archive has it, which is
	 * away.
	 */
	Mono<String> ofReposted(Post repost) {
		return authorOf(repost.repostOf());
	}

	private Mono<String> authorOf(@Nullable String postId) {
		return Mono.justOrEmpty(postId).flatMap(this.posts::authorOf);
	}

}
