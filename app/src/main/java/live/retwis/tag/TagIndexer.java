package live.retwis.tag;

import java.util.List;
import java.util.Set;

import live.retwis.archive.ArchiveSearchIndex;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostListener;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import live.retwis.text.ParsedPostText;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Counts posts for their tags, puts them into the lists of the tags, and lets the search
 * find the tags. A post that is in the list already was counted.
 */
@Component
class TagIndexer implements PostListener {

	/** More posts than workers add to a list at once. */
	static final int NEARLY_FULL = 100;

	private final PostListRepository lists;

	private final PrefixIndex index;

	private final TrendingTags trending;

	private final ArchiveSearchIndex archive;

	private final TagPostCleanup cleanup;

	TagIndexer(PostListRepository lists, PrefixIndex index, TrendingTags trending, ArchiveSearchIndex archive,
			TagPostCleanup cleanup) {
		this.lists = lists;
		this.index = index;
		this.trending = trending;
		this.archive = archive;
		this.cleanup = cleanup;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		Set<String> tags = ParsedPostText.of(post.body()).tags();
		return tags.isEmpty() ? Mono.empty() : this.archive.add(post.id(), position.millis())
			.then(Mono.whenDelayError(tags.stream().map((tag) -> add(tag, post, position)).toList()));
	}

	@Override
	public Mono<Void> gone(LogEntry entry) {
		return this.cleanup.remove(entry.post(), entry.tags());
	}

	private Mono<Void> add(String tag, Post post, LogPosition position) {
		String key = Keys.tag(tag);
		Mono<Void> count = this.trending.count(tag, post.id(), position.millis());
		Mono<Void> list = noteIfFull(tag)
			.then(this.lists.add(key, PostListRepository.MOST, post.id(), position.millis()))
			.then(find(tag));
		return this.lists.among(key, List.of(post.id()))
			.flatMap((listed) -> listed.isEmpty() ? DamagedKeyReporter.thenInAnyCase(count, list) : find(tag));
	}

	/**
	 * ZCARD: the oldest post of a full list goes, and is found in the archive alone. It
	 * is noted a little earlier, because other workers add posts meanwhile.
	 */
	private Mono<Void> noteIfFull(String tag) {
		return this.lists.size(Keys.tag(tag))
			.filter((size) -> size >= PostListRepository.MOST - NEARLY_FULL)
			.flatMap((full) -> this.archive.hasMoreOf(tag));
	}

	/**
	 * The search finds the tag. It is repeated, because the first worker may have died.
	 */
	private Mono<Void> find(String tag) {
		return this.index.add(Keys.TAGS, List.of(tag));
	}

}
