package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.FormField;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

/**
 * The form to change the password. It never keeps what was typed.
 *
 * @param old the current password
 * @param password the new password
 * @param password2 the new password, repeated
 * @param error an error of the form as a whole; null for none
 */
record PasswordForm(FormField old, FormField password, FormField password2, @Nullable Localized error) {

	static final PasswordForm FRESH = new PasswordForm(FormField.EMPTY, FormField.EMPTY, FormField.EMPTY, null);

	static PasswordForm of(SubmittedForm sent, String username, PasswordRules rules) {
		String password = sent.get("password");
		return new PasswordForm(
				new FormField("", sent.get("old").isEmpty() ? Message.of("settings.password-missing") : null),
				new FormField("", rules.fault(password, username)), new FormField("",
						password.equals(sent.get("password2")) ? null : Message.of("register.passwords-differ")),
				null);
	}

	static PasswordForm wrongOld() {
		return new PasswordForm(new FormField("", Message.of("settings.password-wrong")), FormField.EMPTY,
				FormField.EMPTY, null);
	}

	/** An empty form with an error above it. */
	static PasswordForm refused(Localized why) {
		return new PasswordForm(FormField.EMPTY, FormField.EMPTY, FormField.EMPTY, why);
	}

	boolean isRight() {
		return this.old.error() == null && this.password.error() == null && this.password2.error() == null;
	}

}
