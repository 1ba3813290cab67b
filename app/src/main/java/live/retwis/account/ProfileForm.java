package live.retwis.account;

import java.util.regex.Pattern;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.text.TextNormalizer;
import live.retwis.web.FormField;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

/**
 * The form to change what others see of a user.
 *
 * @param name any script; empty when the username is shown instead
 * @param bio may have several lines
 * @param picture the part of the form that changes the picture
 * @param error why the form as a whole is refused; null for no reason
 */
record ProfileForm(FormField name, FormField bio, PictureField picture, @Nullable Localized error) {

	/** Code points. */
	static final int LONGEST_NAME = 50;

	/** Code points. */
	static final int LONGEST_BIO = 160;

	/**
	 * Characters that cannot be seen, with which somebody could have the same name as
	 * another user, and those that change the direction of the text around them. Joiners
	 * are allowed, because emoji and Persian need them.
	 */
	private static final Pattern UNSEEN = Pattern
		.compile("[\\p{Cc}\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E"
				+ "\\u2060-\\u206F\\u2800\\u3164\\uFEFF\\uFFA0]");

	static ProfileForm of(User user) {
		return new ProfileForm(new FormField(user.name(), null), new FormField(user.bio(), null),
				PictureField.UNTOUCHED, null);
	}

	static ProfileForm of(SubmittedForm sent) {
		String name = TextNormalizer.of(sent.get("name")).strip();
		String bio = TextNormalizer.of(sent.get("bio")).strip();
		return new ProfileForm(new FormField(name, fault(name, LONGEST_NAME)),
				new FormField(bio,
						(TextNormalizer.lineEnds(bio) > TextNormalizer.MOST_LINE_ENDS)
								? Message.of("settings.profile-lines", TextNormalizer.MOST_LINE_ENDS)
								: fault(bio.replace('\n', ' '), LONGEST_BIO)),
				new PictureField(!sent.get("remove-picture").isEmpty(), null), null);
	}

	private static @Nullable Localized fault(String text, int longest) {
		if (text.codePointCount(0, text.length()) > longest) {
			return Message.of("settings.profile-long", longest);
		}
		return UNSEEN.matcher(text).find() ? Message.of("settings.profile-unseen") : null;
	}

	/** The same form, refused. */
	ProfileForm refused(Localized why) {
		return new ProfileForm(this.name, this.bio, this.picture, why);
	}

	/** The same form, whose picture is refused. */
	ProfileForm pictureRefused(Localized why) {
		return new ProfileForm(this.name, this.bio, new PictureField(this.picture.removed(), why), this.error);
	}

	/** The name to show. Who has none shows the username. */
	String shownName(String username) {
		return this.name.value().isEmpty() ? username : this.name.value();
	}

	boolean isRight() {
		return this.name.error() == null && this.bio.error() == null;
	}

	/**
	 * The part of the form that changes the picture. A browser does not send a file again
	 * that it has sent once, so it has to be chosen anew.
	 *
	 * @param removed whether the picture is to be removed
	 * @param error what is wrong with the file; null when nothing is
	 */
	record PictureField(boolean removed, @Nullable Localized error) {

		static final PictureField UNTOUCHED = new PictureField(false, null);

	}

}
