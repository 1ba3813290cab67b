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

/** Reads posts with their context. */
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
	 * A post, the post that it replies to, and one page of its replies. Two round trips:
	 * first the post and the ids of its replies, then the other posts.
	 * @param after the cursor after which the page begins; empty for the first page
	 * @return empty when the post does not exist, or is deleted
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
	 * Replies to a post.
	 *
	 * @param places their places in the list, for one page
	 * @param count number of all replies
	 */
	private record Replies(List<Cursor> places, long count) {
	}

}
