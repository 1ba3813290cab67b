package live.retwis.account;

import live.retwis.web.Field;
import live.retwis.web.Forms;
import live.retwis.web.Localized;
import live.retwis.web.Next;
import live.retwis.web.Text;
import org.jspecify.annotations.Nullable;

/**
 * The form that signs in.
 *
 * @param username kept when the form is shown again
 * @param password never kept
 * @param error what is wrong with the whole; null when nothing
 * @param next where to go then
 */
public record LoginForm(Field username, Field password, @Nullable Localized error, String next) {

	static LoginForm fresh(String next) {
		return new LoginForm(Field.EMPTY, Field.EMPTY, null, next);
	}

	static LoginForm of(Forms sent) {
		String username = sent.get("username");
		return new LoginForm(new Field(username, username.isEmpty() ? Text.of("Type your username.") : null),
				new Field("", sent.get("password").isEmpty() ? Text.of("Type your password.") : null), null,
				Next.or(sent.get("next"), "/home"));
	}

	boolean isRight() {
		return this.username.error() == null && this.password.error() == null;
	}

	/** The same form with an error over it. */
	LoginForm wrong(Localized text) {
		return new LoginForm(this.username, this.password, text, this.next);
	}

}
