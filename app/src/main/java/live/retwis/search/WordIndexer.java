package live.retwis.search;

import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostListener;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Puts posts into the lists of their words. */
@Component
class WordIndexer implements PostListener {

	private final WordRepository words;

	WordIndexer(WordRepository words) {
		this.words = words;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return this.words.add(post, position.millis());
	}

}
