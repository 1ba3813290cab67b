package live.retwis.reaction;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.post.ReactingUsersList;
import live.retwis.post.RenderedPost;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Who likes a post. */
@Component
@Order(1)
class LikingUsersList implements ReactingUsersList {

	private final ReactionRepository reactions;

	LikingUsersList(ReactionRepository reactions) {
		this.reactions = reactions;
	}

	@Override
	public String name() {
		return Reaction.LIKE.list();
	}

	@Override
	public Message heading() {
		return Message.of("reaction.likes");
	}

	@Override
	public Message title(String author) {
		return Message.of("reaction.likes-title", author);
	}

	@Override
	public Message empty() {
		return Message.of("reaction.likes-empty");
	}

	@Override
	public String key(String postId) {
		return Reaction.LIKE.users(postId);
	}

	@Override
	public Mono<List<Cursor>> read(RenderedPost post, Optional<Cursor> before, int count) {
		return this.reactions.users(Reaction.LIKE, post.post().id(), before, count,
				post.counts().get(Reaction.LIKE.count()));
	}

}
