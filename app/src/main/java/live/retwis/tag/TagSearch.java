package live.retwis.tag;

import java.util.List;

import live.retwis.archive.ArchiveSearchIndex;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import live.retwis.text.HashtagRules;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Finds tags by their beginning: {@code tags:{first character}}. */
@Component
public class TagSearch {

	/** Tags that are looked at to find some with posts, at most. */
	private static final int LOOKED_AT = 100;

	private final PrefixIndex index;

	private final PostListRepository lists;

	private final ArchiveSearchIndex archive;

	private final EmptyTagRemover empty;

	TagSearch(PrefixIndex index, PostListRepository lists, ArchiveSearchIndex archive, EmptyTagRemover empty) {
		this.index = index;
		this.lists = lists;
		this.archive = archive;
		this.empty = empty;
	}

	/**
	 * ZRANGEBYLEX, then ZCARD of each tag's list, until enough tags with posts are found.
	 * Of an empty one the archive may have posts (ZSCORE). The others are removed from
	 * the search.
	 */
	public Mono<List<ListedTag>> find(String text, int most) {
		String beginning = HashtagRules.fold(text);
		return beginning.isEmpty() ? Mono.just(List.of()) : this.index.find(Keys.TAGS, beginning, LOOKED_AT)
			.flatMapMany(Flux::fromIterable)
			.flatMapSequential((tag) -> this.lists.size(Keys.tag(tag)).map((size) -> ListedTag.of(tag, size)), most)
			.filterWhen(this::hasPosts)
			.take(most)
			.collectList();
	}

	private Mono<Boolean> hasPosts(ListedTag tag) {
		return (tag.count() > 0) ? Mono.just(true) : this.archive.isMoreOf(tag.tag()).doOnNext((more) -> {
			if (!more) {
				this.empty.found(tag.tag());
			}
		});
	}

}
