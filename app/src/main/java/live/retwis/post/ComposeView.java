package live.retwis.post;

import live.retwis.account.LoginForm;
import live.retwis.i18n.Localized;
import live.retwis.redis.RandomTokens;
import org.jspecify.annotations.Nullable;

/**
 * The form that makes a post.
 *
 * @param body the text, kept when the form is shown again
 * @param error what is wrong with the text; null for nothing
 * @param once random; the same form sent twice makes one post
 * @param limit most characters
 * @param replyTo id of the post to reply to; null for none
 * @param next address to go to afterwards
 * @param login fields for name and password; null when signed in
 * @param author id of the user on whose page the text was written; null when not known
 * @param ofAnother whether another user than the viewer wrote the text
 */
public record ComposeView(String body, @Nullable Localized error, String once, int limit, @Nullable String replyTo,
		String next, @Nullable LoginForm login, @Nullable String author, boolean ofAnother) {

	/** A random {@code once} value. */
	public static String freshOnce() {
		return RandomTokens.ofBits(128);
	}

	/** A copy with an error beside the text. */
	ComposeView wrong(Localized text) {
		return new ComposeView(this.body, text, this.once, this.limit, this.replyTo, this.next, this.login, this.author,
				this.ofAnother);
	}

	/** A copy with a new {@code once} value, like a form that was not sent yet. */
	ComposeView renewed() {
		return new ComposeView(this.body, this.error, freshOnce(), this.limit, this.replyTo, this.next, this.login,
				this.author, this.ofAnother);
	}

	/** A copy that also asks for name and password. */
	ComposeView with(LoginForm fields) {
		return new ComposeView(this.body, this.error, this.once, this.limit, this.replyTo, this.next, fields,
				this.author, this.ofAnother);
	}

	/** A copy for a viewer who did not write the text. */
	ComposeView forAnother() {
		return new ComposeView(this.body, this.error, this.once, this.limit, this.replyTo, this.next, this.login,
				this.author, true);
	}

}
