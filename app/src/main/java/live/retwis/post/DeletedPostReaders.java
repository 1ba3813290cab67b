package live.retwis.post;

import live.retwis.account.UsernameRepository;
import live.retwis.archive.ArchiveAwayException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Tells to whom a deleted post was addressed, so that it can be removed from their lists.
 */
@Component
public class DeletedPostReaders {

	private final PostRepository posts;

	private final UsernameRepository usernames;

	DeletedPostReaders(PostRepository posts, UsernameRepository usernames) {
		this.posts = posts;
		this.usernames = usernames;
	}

	/**
	 * The ids of the author of the post that it replied to, and of the users whom it
	 * mentioned. While the archive is away that has the post above, its author is not
	 * known, and no worker waits for that.
	 */
	public Flux<String> of(DeletedPost post) {
		return Flux.concat(
				Mono.justOrEmpty(post.replyTo())
					.flatMap(this.posts::authorOf)
					.onErrorResume(ArchiveAwayException.class, (away) -> Mono.empty()),
				Flux.fromIterable(post.mentions()).concatMap(this.usernames::findId));
	}

}
