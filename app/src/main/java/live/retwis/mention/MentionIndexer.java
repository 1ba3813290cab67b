package live.retwis.mention;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostListener;
import live.retwis.post.RepliedPostAuthor;
import live.retwis.redis.Keys;
import live.retwis.restriction.RestrictionRepository;
import live.retwis.text.ParsedPostText;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts posts into the lists of the users whom they mention, and of the user to whom they
 * reply. A user who registers later is not mentioned by older posts. A post mentions
 * nobody who has blocked its author.
 */
@Component
public class MentionIndexer implements PostListener {

	/** Most posts in the list of one user; the oldest go. */
	public static final int MOST = 800;

	private static final int CONCURRENCY = 16;

	private final PostListRepository lists;

	private final RepliedPostAuthor parentAuthor;

	private final UsernameRepository usernames;

	private final AccountStateRepository accounts;

	private final RestrictionRepository restrictions;

	MentionIndexer(PostListRepository lists, RepliedPostAuthor parentAuthor, UsernameRepository usernames,
			AccountStateRepository accounts, RestrictionRepository restrictions) {
		this.lists = lists;
		this.parentAuthor = parentAuthor;
		this.usernames = usernames;
		this.accounts = accounts;
		this.restrictions = restrictions;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return Flux
			.concat(this.parentAuthor.of(post),
					Flux.fromIterable(ParsedPostText.of(post.body()).mentions())
						.flatMapDelayError(this.usernames::findId, CONCURRENCY, 1))
			.distinct()
			.filter((userId) -> !userId.equals(post.authorId()))
			.flatMapDelayError((userId) -> add(userId, post, position), CONCURRENCY, 1)
			.then();
	}

	private Mono<Void> add(String userId, Post post, LogPosition position) {
		String key = Keys.mentions(userId);
		return this.restrictions.hasBlocked(userId, post.authorId())
			.flatMap((blocked) -> blocked ? Mono.empty() : this.lists.add(key, MOST, post.id(), position.millis())
				.then(this.accounts.ifGone(userId, this.lists.delete(key))));
	}

}
