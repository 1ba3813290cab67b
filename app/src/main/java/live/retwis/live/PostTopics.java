package live.retwis.live;

import java.util.ArrayList;
import java.util.List;

import live.retwis.log.LogEntry;
import live.retwis.post.RenderedPost;
import live.retwis.post.ReplyChainReader;
import live.retwis.text.ParsedPostText;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What a post is about: its tags, and the conversations that it belongs to. These are its
 * own and those of all posts above it.
 */
@Component
class PostTopics {

	/**
	 * The topic of a post that may belong to any conversation: all of them want it.
	 */
	static final String ANY_CONVERSATION = conversation("*");

	/** The topic of a post that may have any tag: the streams of all tags want it. */
	static final String ANY_TAG = tag("*");

	private final ReplyChainReader chain;

	PostTopics(ReplyChainReader chain) {
		this.chain = chain;
	}

	/** A repost belongs to no conversation. */
	Mono<List<String>> of(RenderedPost post) {
		return (post.repost() != null) ? Mono.just(List.of())
				: this.chain.from(post.post().id()).map((conversations) -> {
					List<String> topics = new ArrayList<>(conversations);
					ParsedPostText.of(post.post().body()).tags().forEach((tag) -> topics.add(tag(tag)));
					return topics;
				});
	}

	/**
	 * The topics of a post that cannot be read, from its log entry: its tags, and its own
	 * conversation. If it is a reply, it may belong to any conversation.
	 */
	static List<String> of(LogEntry unread) {
		List<String> topics = new ArrayList<>();
		if (unread.repostOf().isPresent()) {
			return topics;
		}
		topics.add(unread.replyTo().isPresent() ? ANY_CONVERSATION : conversation(unread.post()));
		unread.tags().forEach((tag) -> topics.add(tag(tag)));
		return topics;
	}

	/** The topic of a folded tag. */
	static String tag(String foldedTag) {
		return "#" + foldedTag;
	}

	/** The topic of the counts of a post, for pages that show it beside their list. */
	static String counts(String postId) {
		return "counts " + postId;
	}

	/** The topic of a post and all replies below it. */
	static String conversation(String postId) {
		return postId;
	}

}
