package live.retwis.post;

import live.retwis.account.LoginForm;
import live.retwis.i18n.Localized;
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
 * @param login name and password, asked for with the text; null when signed in
 */
public record ComposeView(String body, @Nullable Localized error, String once, int limit, @Nullable String replyTo,
		String next, @Nullable LoginForm login) {

	/** A random {@code once}. */
	public static String freshOnce() {
		return Nonces.ofBits(128);
	}

	/** The same form with an error beside the text. */
	ComposeView wrong(Localized text) {
		return new ComposeView(this.body, text, this.once, this.limit, this.replyTo, this.next, this.login);
	}

	/** The same form as one that was not sent yet. */
	ComposeView renewed() {
		return new ComposeView(this.body, this.error, freshOnce(), this.limit, this.replyTo, this.next, this.login);
	}

	/** The same form, which signs in too. */
	ComposeView with(LoginForm fields) {
		return new ComposeView(this.body, this.error, this.once, this.limit, this.replyTo, this.next, fields);
	}

}
