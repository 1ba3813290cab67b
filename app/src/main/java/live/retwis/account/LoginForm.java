package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.FormField;
import live.retwis.web.ReturnAddress;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

/**
 * The form to log in.
 *
 * @param username kept when the form is shown again
 * @param password never kept
 * @param error an error of the form as a whole; null for none
 * @param next address to go to afterwards
 */
public record LoginForm(FormField username, FormField password, @Nullable Localized error, String next) {

	static LoginForm fresh(String next) {
		return new LoginForm(FormField.EMPTY, FormField.EMPTY, null, next);
	}

	/** The form as it was sent, without the password. */
	public static LoginForm of(SubmittedForm sent) {
		String username = sent.get("username").strip();
		return new LoginForm(new FormField(username, username.isEmpty() ? Message.of("login.username-missing") : null),
				new FormField("", sent.get("password").isEmpty() ? Message.of("login.password-missing") : null), null,
				ReturnAddress.or(sent.get("next"), "/home"));
	}

	boolean isRight() {
		return this.username.error() == null && this.password.error() == null;
	}

	/** A copy with an error above the form. */
	LoginForm wrong(Localized text) {
		return new LoginForm(this.username, this.password, text, this.next);
	}

}
