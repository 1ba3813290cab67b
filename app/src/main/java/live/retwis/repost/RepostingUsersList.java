package live.retwis.repost;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.post.ReactingUsersList;
import live.retwis.post.RenderedPost;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Who reposts a post. */
@Component
@Order(2)
class RepostingUsersList implements ReactingUsersList {

	private final RepostRepository reposts;

	RepostingUsersList(RepostRepository reposts) {
		this.reposts = reposts;
	}

	@Override
	public String name() {
		return "reposts";
	}

	@Override
	public Message heading() {
		return Message.of("repost.list");
	}

	@Override
	public Message title(String author) {
		return Message.of("repost.list-title", author);
	}

	@Override
	public Message empty() {
		return Message.of("repost.list-empty");
	}

	@Override
	public String key(String postId) {
		return Keys.reposts(postId);
	}

	@Override
	public Mono<List<Cursor>> read(RenderedPost post, Optional<Cursor> before, int count) {
		return this.reposts.users(post.post().id(), before, count);
	}

}
