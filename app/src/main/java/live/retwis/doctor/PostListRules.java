package live.retwis.doctor;

import java.util.List;

import live.retwis.mention.MentionFanOut;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import live.retwis.text.Hashtag;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * Posts with a tag, posts that mention a user, and posts that a user keeps: the lists
 * keep their bounds. They may hold posts that were deleted, until a page reads them.
 */
@Component
class PostListRules implements Rules {

	private final ListChecks lists;

	PostListRules(ListChecks lists) {
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.tag(""), PostListRules::isFolded, "zset", this::tag),
				new KeySchema(Keys.mentions(""), Ids::isValid, "zset", this::mentions),
				new KeySchema(Keys.bookmarks(""), Ids::isValid, "zset", this::bookmarks));
	}

	private static boolean isFolded(String tag) {
		return Hashtag.isValid(tag) && Hashtag.fold(tag).equals(tag);
	}

	private Flux<Finding> tag(String tag) {
		return this.lists.bound(Keys.tag(tag), PostListRepository.MOST);
	}

	private Flux<Finding> bookmarks(String userId) {
		String key = Keys.bookmarks(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, PostListRepository.MOST));
	}

	private Flux<Finding> mentions(String userId) {
		String key = Keys.mentions(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, MentionFanOut.MOST));
	}

}
