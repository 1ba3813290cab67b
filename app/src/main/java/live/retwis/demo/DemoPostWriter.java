package live.retwis.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import live.retwis.account.User;
import live.retwis.post.Post;
import live.retwis.post.Posting;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.RandomTokens;
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
	 * Makes one post or reply. Everything is chosen now, so it is made once however often
	 * the answer is subscribed to. If the post to reply to is gone at the first time, it
	 * is no reply.
	 * @return a line that reports it
	 */
	Mono<String> post(User author, Random random) {
		boolean replies = !this.recent.isEmpty() && random.nextInt(REPLY_IN) == 0;
		Mono<String> post = make(author, choose(DemoTexts.POSTS, random), null, once());
		if (!replies) {
			return post;
		}
		String parent = choose(List.copyOf(this.recent), random);
		String text = choose(DemoTexts.REPLIES, random);
		String once = once();
		// An answer is kept, an error is not.
		return this.posts.find(parent)
			.singleOptional()
			.cacheInvalidateIf((any) -> false)
			.flatMap((found) -> found.map((parentPost) -> make(author, text, parentPost.post(), once)).orElse(post));
	}

	private static String choose(List<String> from, Random random) {
		return from.get(random.nextInt(from.size()));
	}

	private static String once() {
		return RandomTokens.ofBits(96);
	}

	private Mono<String> make(User author, String text, @Nullable Post parent, String once) {
		return this.posting.post(new Viewer(author.id(), author.username()), text, parent, once).map((id) -> {
			this.recent.addLast(id);
			if (this.recent.size() > RECENT) {
				this.recent.removeFirst();
			}
			return "@" + author.username() + ": " + text;
		});
	}

}
