package live.retwis.post;

import live.retwis.redis.Nonces;
import org.jspecify.annotations.Nullable;

/**
 * The form that makes a post.
 *
 * @param body kept when the form is shown again
 * @param error what is wrong with it; null when nothing
 * @param once random; the same form sent twice makes one post
 * @param limit most characters
 * @param replyTo id of the post to reply to; null when none
 * @param next where to come back to
 */
public record ComposeView(String body, @Nullable String error, String once, int limit, @Nullable String replyTo,
		String next) {

	/** A random {@code once}. */
	public static String freshOnce() {
		return Nonces.ofBits(128);
	}

	/** The same form with an error beside the text. */
	ComposeView wrong(String text) {
		return new ComposeView(this.body, text, this.once, this.limit, this.replyTo, this.next);
	}

	/** The same form as one that was not sent yet. */
	ComposeView renewed() {
		return new ComposeView(this.body, this.error, freshOnce(), this.limit, this.replyTo, this.next);
	}

}
