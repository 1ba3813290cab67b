package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import live.retwis.mention.MentionIndexer;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.text.HashtagRules;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Posts with a tag, posts that mention a user, and posts that a user keeps: the lists
 * keep their bounds. They may hold posts that were deleted, until a page reads them. The
 * search finds each tag that has posts.
 */
@Component
class TagMentionBookmarkRules implements RuleSet {

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	TagMentionBookmarkRules(StoreReader store, Repairs repairs, ListChecks lists) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.tag(""), TagMentionBookmarkRules::isFolded, "zset", this::tag),
				new KeySchema(Keys.mentions(""), TimeSortedIdGenerator::isValid, "zset", this::mentions),
				new KeySchema(Keys.bookmarks(""), TimeSortedIdGenerator::isValid, "zset", this::bookmarks));
	}

	private static boolean isFolded(String tag) {
		return HashtagRules.isValid(tag) && HashtagRules.fold(tag).equals(tag);
	}

	private Flux<Finding> tag(String tag) {
		return this.lists.bound(Keys.tag(tag), PostListRepository.MOST).concatWith(found(tag));
	}

	private Mono<Finding> found(String tag) {
		String index = PrefixIndex.key(Keys.TAGS, tag);
		return this.store.score(index, tag)
			.filter(Optional::isEmpty)
			.map((missing) -> Finding
				.repairable(Keys.tag(tag), "is not in " + index, "adds it", () -> this.repairs.add(index, tag, 0))
				.afterFanOut());
	}

	private Flux<Finding> bookmarks(String userId) {
		String key = Keys.bookmarks(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, PostListRepository.MOST));
	}

	private Flux<Finding> mentions(String userId) {
		String key = Keys.mentions(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, MentionIndexer.MOST));
	}

}
