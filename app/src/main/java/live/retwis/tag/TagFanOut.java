package live.retwis.tag;

import live.retwis.log.Position;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostListener;
import live.retwis.redis.Keys;
import live.retwis.text.PostText;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Puts posts into the lists of their tags. */
@Component
class TagFanOut implements PostListener {

	private final PostListRepository lists;

	TagFanOut(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public Mono<Void> posted(Post post, Position position) {
		return Flux.fromIterable(PostText.of(post.body()).tags())
			.flatMap((tag) -> this.lists.add(Keys.tag(tag), PostListRepository.MOST, post.id(), position.millis()))
			.then();
	}

}
