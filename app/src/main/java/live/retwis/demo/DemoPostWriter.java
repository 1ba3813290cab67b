package live.retwis.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import live.retwis.account.User;
import live.retwis.post.Post;
import live.retwis.post.Posting;
import live.retwis.post.RenderedPost;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Nonces;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Makes the posts and replies of the demo. */
@Component
class DemoPostWriter {

	/** One in this many posts is a reply. */
	private static final int REPLY_IN = 4;

	/** The newest posts, which may get a reply. */
	private static final int RECENT = 20;

	private final Posting posting;

	private final RenderedPosts posts;

	private final Deque<String> recent = new ArrayDeque<>();

	DemoPostWriter(Posting posting, RenderedPosts posts) {
		this.posting = posting;
		this.posts = posts;
	}

	/**
	 * Makes one post or reply.
	 * @return a line that reports it
	 */
	Mono<String> post(User author, Random random) {
		if (!this.recent.isEmpty() && random.nextInt(REPLY_IN) == 0) {
			String parent = List.copyOf(this.recent).get(random.nextInt(this.recent.size()));
			return this.posts.find(parent)
				.map(RenderedPost::post)
				.flatMap((post) -> make(author, DemoTexts.REPLIES.get(random.nextInt(DemoTexts.REPLIES.size())), post))
				.switchIfEmpty(Mono.defer(() -> make(author, text(random), null)));
		}
		return make(author, text(random), null);
	}

	private static String text(Random random) {
		return DemoTexts.POSTS.get(random.nextInt(DemoTexts.POSTS.size()));
	}

	private Mono<String> make(User author, String text, @Nullable Post parent) {
		return this.posting.post(new Viewer(author.id(), author.username()), text, parent, Nonces.ofBits(96))
			.map((id) -> {
				this.recent.addLast(id);
				if (this.recent.size() > RECENT) {
					this.recent.removeFirst();
				}
				return "@" + author.username() + ": " + text;
			});
	}

}
