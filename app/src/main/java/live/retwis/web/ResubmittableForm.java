package live.retwis.web;

import java.util.List;
import java.util.Map;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import org.jspecify.annotations.Nullable;

/**
 * A form that was refused, to be sent again as it was. The page that answers has its
 * texts, and asks again for passwords and files.
 *
 * @param action address that the form is sent to
 * @param fields what was sent
 * @param files names of the files that have to be chosen again
 * @param doubtful whether it may have been taken all the same
 */
record ResubmittableForm(String action, List<Field> fields, List<String> files, boolean doubtful) {

	/** The texts that people type, by the name of their field, with the label. */
	private static final Map<String, Message> TYPED = Map.of("body", Message.of("compose.body"), "bio",
			Message.of("settings.profile-bio"), "name", Message.of("settings.profile-name"), "reason",
			Message.of("report.reason"), "username", Message.of("login.username"));

	private static final Map<String, Message> PASSWORDS = Map.of("old", Message.of("settings.password-old"), "password",
			Message.of("login.password"), "password2", Message.of("register.password2"));

	/** A field that says that the form was refused before. */
	static final String AGAIN = "again";

	static ResubmittableForm of(String action, SubmittedForm sent) {
		List<Field> fields = sent.names()
			.stream()
			.filter((name) -> !name.equals("_csrf") && !name.equals(AGAIN))
			.flatMap((name) -> sent.all(name).stream().map((value) -> Field.of(name, value)))
			.toList();
		return new ResubmittableForm(action, fields, sent.fileNames(), false);
	}

	/** A copy of which nobody knows whether it was taken. */
	ResubmittableForm doubted() {
		return new ResubmittableForm(this.action, this.fields, this.files, true);
	}

	/** Characters of all values. */
	int length() {
		return this.fields.stream().mapToInt((field) -> field.value().length()).sum();
	}

	/** Whether somebody has typed a text. */
	boolean typed() {
		return this.fields.stream().anyMatch((field) -> !field.value().isBlank() && (field.area() || field.line()));
	}

	/**
	 * A field of the form.
	 *
	 * @param label null for a hidden field
	 * @param value empty for a password
	 * @param area whether the value may have several lines
	 * @param password whether it is a password
	 */
	record Field(String name, @Nullable Localized label, String value, boolean area, boolean password) {

		static Field of(String name, String value) {
			Message password = PASSWORDS.get(name);
			return (password != null) ? new Field(name, password, "", false, true)
					: new Field(name, TYPED.get(name), value, name.equals("body") || name.equals("bio"), false);
		}

		/** Whether it is a text of one line. */
		boolean line() {
			return this.label != null && !this.area && !this.password;
		}

		boolean hidden() {
			return this.label == null;
		}

	}

}
