package live.retwis.tag;

import java.util.List;

import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import live.retwis.text.Hashtag;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Finds tags by their beginning: {@code tags:{first character}}. */
@Component
public class TagSearch {

	private final PrefixIndex index;

	private final PostListRepository lists;

	TagSearch(PrefixIndex index, PostListRepository lists) {
		this.index = index;
		this.lists = lists;
	}

	/**
	 * ZRANGEBYLEX, then ZCARD of each tag's list. A tag whose list is empty by now is
	 * left out.
	 */
	public Mono<List<ListedTag>> find(String text, int most) {
		String beginning = Hashtag.fold(text);
		return beginning.isEmpty() ? Mono.just(List.of())
				: this.index.find(Keys.TAGS, beginning, most)
					.flatMapMany(Flux::fromIterable)
					.flatMapSequential((tag) -> this.lists.size(Keys.tag(tag)).map((size) -> ListedTag.of(tag, size)))
					.filter((tag) -> tag.count() > 0)
					.collectList();
	}

}
