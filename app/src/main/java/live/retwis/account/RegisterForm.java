package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.FormField;
import live.retwis.web.ReturnAddress;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

/**
 * The form to register, with errors beside its fields.
 *
 * @param username kept when the form is shown again
 * @param password never kept
 * @param password2 the password, repeated
 * @param error an error of the form as a whole; null for none
 * @param next address to go to afterwards
 */
record RegisterForm(FormField username, FormField password, FormField password2, @Nullable Localized error,
		String next) {

	static RegisterForm fresh(String next) {
		return new RegisterForm(FormField.EMPTY, FormField.EMPTY, FormField.EMPTY, null, next);
	}

	static RegisterForm of(SubmittedForm sent, PasswordRules rules) {
		String username = sent.get("username");
		String password = sent.get("password");
		return new RegisterForm(new FormField(username, usernameFault(username)),
				new FormField("", rules.fault(password, username)),
				new FormField("",
						password.equals(sent.get("password2")) ? null : Message.of("register.passwords-differ")),
				null, ReturnAddress.or(sent.get("next"), "/home"));
	}

	private static @Nullable Localized usernameFault(String username) {
		if (username.isEmpty()) {
			return Message.of("register.username-missing");
		}
		return UsernameRules.isValid(username) ? null : Message.of("register.username-invalid");
	}

	boolean isRight() {
		return this.username.error() == null && this.password.error() == null && this.password2.error() == null;
	}

	RegisterForm refused(Localized why) {
		return new RegisterForm(this.username, this.password, this.password2, why, this.next);
	}

	RegisterForm taken() {
		return new RegisterForm(
				new FormField(this.username.value(), Message.of("register.username-taken", this.username.value())),
				this.password, this.password2, null, this.next);
	}

}
