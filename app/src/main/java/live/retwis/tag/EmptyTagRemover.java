package live.retwis.tag;

import java.util.List;

import live.retwis.archive.ArchiveSearchIndex;
import live.retwis.background.BackgroundQueue;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes tags from the search that no post has any more. A post is added to the list of
 * its tag first, and its tag to the search later. So if the list is still empty after the
 * removal, whoever adds a post to it will add the tag again. If not, it is added again
 * here.
 */
@Component
class EmptyTagRemover extends BackgroundQueue<String> {

	/** Tags removed at once. */
	private static final int CONCURRENCY = 8;

	private final PrefixIndex index;

	private final PostListRepository lists;

	private final ArchiveSearchIndex archive;

	EmptyTagRemover(PrefixIndex index, PostListRepository lists, ArchiveSearchIndex archive) {
		super(CONCURRENCY);
		this.index = index;
		this.lists = lists;
		this.archive = archive;
	}

	/** A search or a deletion has come upon a tag without posts. */
	void found(String tag) {
		offer(tag);
	}

	/**
	 * ZREM and ZCARD, then ZADD if the tag has a post. A tag of which the archive may
	 * have posts stays.
	 */
	@Override
	protected Mono<Void> work(String tag) {
		return this.archive.isMoreOf(tag)
			.filter((more) -> !more)
			.flatMap((none) -> this.index.remove(Keys.TAGS, List.of(tag)).then(this.lists.size(Keys.tag(tag))))
			.flatMap((posts) -> (posts > 0) ? this.index.add(Keys.TAGS, List.of(tag)) : Mono.empty());
	}

}
