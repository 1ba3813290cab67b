package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads posts with what is around them.
 */
@Component
class Conversations {

	private static final int PAGE = 50;

	private final PostRepository posts;

	private final ReplyRepository replies;

	Conversations(PostRepository posts, ReplyRepository replies) {
		this.posts = posts;
		this.replies = replies;
	}

	/**
	 * A post, what it replies to and a page of its replies. Two round trips: the post and
	 * the places of its replies; their rows.
	 * @param after where the page of replies begins; empty for the first
	 * @return empty when there is no such post any more
	 */
	Mono<Conversation> find(String id, Optional<Cursor> after) {
		return Mono
			.zip(this.replies.page(id, after, PostRepository.placesFor(PAGE)), this.replies.count(id), Replies::new)
			.zipWith(this.posts.find(id).map(Optional::of).defaultIfEmpty(Optional.empty()),
					(replies, post) -> Mono.justOrEmpty(post).flatMap((found) -> around(found, replies)))
			.flatMap(Function.identity());
	}

	private Mono<Conversation> around(RenderedPost post, Replies read) {
		Mono<Optional<RenderedPost>> parent = Mono.justOrEmpty(post.post().replyTo())
			.flatMap(this.posts::find)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return Mono.zip(parent, page(Keys.replies(post.post().id()), read.places()),
				(found, replies) -> new Conversation(post, found.orElse(null), replies, read.count()));
	}

	private Mono<PostPage> page(String key, List<Cursor> places) {
		List<String> replyIds = places.stream().map(Cursor::member).toList();
		Map<String, Cursor> byId = places.stream().collect(Collectors.toMap(Cursor::member, Function.identity()));
		return this.posts.findAll(replyIds).map((found) -> PostPage.of(key, replyIds, found, byId, PAGE));
	}

	/**
	 * Replies of a post.
	 *
	 * @param places of a page of them
	 * @param count of all
	 */
	private record Replies(List<Cursor> places, long count) {
	}

}
