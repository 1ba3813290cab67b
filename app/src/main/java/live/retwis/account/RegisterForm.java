package live.retwis.account;

import live.retwis.web.Field;
import live.retwis.web.Forms;
import live.retwis.web.Localized;
import live.retwis.web.Next;
import live.retwis.web.Text;
import org.jspecify.annotations.Nullable;

/**
 * The form that makes an account, with what is wrong beside each field.
 *
 * @param username kept when the form is shown again
 * @param password never kept
 * @param password2 the same again
 * @param error what is wrong with the whole; null when nothing
 * @param next where to go then
 */
record RegisterForm(Field username, Field password, Field password2, @Nullable Localized error, String next) {

	static RegisterForm fresh(String next) {
		return new RegisterForm(Field.EMPTY, Field.EMPTY, Field.EMPTY, null, next);
	}

	static RegisterForm of(Forms sent) {
		String username = sent.get("username");
		String password = sent.get("password");
		return new RegisterForm(new Field(username, usernameFault(username)), new Field("", Passwords.fault(password)),
				new Field("", password.equals(sent.get("password2")) ? null : Text.of("The two passwords differ.")),
				null, Next.or(sent.get("next"), "/home"));
	}

	private static @Nullable Localized usernameFault(String username) {
		if (username.isEmpty()) {
			return Text.of("Choose a username.");
		}
		return Username.isValid(username) ? null : Text.of("Use 1 to 30 letters (a to z), digits or _.");
	}

	boolean isRight() {
		return this.username.error() == null && this.password.error() == null && this.password2.error() == null;
	}

	RegisterForm paused() {
		return new RegisterForm(this.username, this.password, this.password2,
				Text.of("Signing up pauses for a moment; everything else works. Nothing was stored. "
						+ "Try again in a few seconds."),
				this.next);
	}

	RegisterForm taken() {
		return new RegisterForm(
				new Field(this.username.value(),
						Text.of("The name %s is taken. Choose another.", this.username.value())),
				this.password, this.password2, null, this.next);
	}

}
