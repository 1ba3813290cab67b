package live.retwis.search;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import live.retwis.archive.ArchiveSearchIndex;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostListener;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.text.SearchWords;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * The posts of the last days by their words: {@code word:{word}}. A deleted post has no
 * text any more, so {@code words:{post}} tells which lists have it. Older posts are found
 * in the archive.
 */
@Repository
public class WordRepository implements PostListener, PostCleanup {

	/** How long a post is found. */
	public static final Duration LIFE = Duration.ofDays(7);

	/** Longer than the post is in any list. */
	public static final Duration WORDS_KNOWN = LIFE.plusDays(1);

	/** Most words of a post by which it is found. Others come too late in its text. */
	private static final int MOST_WORDS = 50;

	private final ReactiveStringRedisTemplate redis;

	private final PostListRepository lists;

	private final ArchiveSearchIndex index;

	private final DataClock clock;

	WordRepository(ReactiveStringRedisTemplate redis, PostListRepository lists, ArchiveSearchIndex index,
			DataClock clock) {
		this.redis = redis;
		this.lists = lists;
		this.index = index;
		this.clock = clock;
	}

	/**
	 * SET {@code words:{post}}, then {@code add-to-list.lua} for each word. An older
	 * post, such as an imported one, is only noted for the archive.
	 */
	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		long committed = position.millis();
		List<String> words = SearchWords.of(post.body())
			.stream()
			.filter(SearchWords::isTelling)
			.limit(MOST_WORDS)
			.toList();
		return words.isEmpty() ? Mono.empty() : this.index.add(post.id(), committed)
			.then(this.clock.millis())
			.filter((now) -> now - committed < LIFE.toMillis())
			.flatMap((now) -> this.redis.opsForValue()
				.set(Keys.wordsOf(post.id()), String.join(" ", words), WORDS_KNOWN))
			.flatMap((done) -> Mono.whenDelayError(words.stream()
				.map((word) -> this.lists.add(Keys.word(word), PostListRepository.MOST, post.id(), committed, LIFE))
				.toList()));
	}

	/** ZREVRANGE: the newest posts that have the word. */
	Mono<List<Cursor>> newest(String word) {
		return this.lists.newest(Keys.word(word), Optional.empty(), PostListRepository.MOST);
	}

	/** GET {@code words:{post}}, ZREM for each word, DEL. */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		String key = Keys.wordsOf(postId);
		return this.redis.opsForValue()
			.get(key)
			.flatMapIterable((words) -> List.of(words.split(" ")))
			.flatMap((word) -> this.lists.remove(Keys.word(word), postId))
			.then(this.redis.delete(key))
			.then();
	}

}
