package live.retwis.search;

import live.retwis.log.Position;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostListener;
import live.retwis.redis.Keys;
import live.retwis.text.SearchWords;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Puts posts into the lists of their words. */
@Component
class WordFanOut implements PostListener {

	/** Most words of a post by which it is found. Others come too late in its text. */
	private static final int MOST_WORDS = 50;

	private final PostListRepository lists;

	WordFanOut(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public Mono<Void> posted(Post post, Position position) {
		return Flux.fromStream(() -> SearchWords.of(post.body()).stream())
			.filter(SearchWords::isTelling)
			.take(MOST_WORDS)
			.flatMap((word) -> this.lists.add(Keys.word(word), PostListRepository.MOST, post.id(), position.millis(),
					PostSearch.LIFE))
			.then();
	}

}
