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
		.compile("[\\p{Cc}\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200E\\u200F"
				+ "\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB"
				+ "\\x{E0000}-\\x{E0FFF}]");

	/**
	 * Characters with an unseen one after them that chooses how they look: an emoji in
	 * colours or not, a key of a telephone, the flag of a region, an ideograph.
	 */
	private static final Pattern SHAPED = Pattern
		.compile("([\\p{So}\\u203C\\u2049\\u2139\\u2194\\u25FD\\u25FE\\u2934\\u2935\\u3030\\x{1F3FB}-\\x{1F3FF}])"
				+ "[\\uFE0E\\uFE0F]|([0-9#*])\\uFE0F(?=\\u20E3)"
				+ "|(\\x{1F3F4})[\\x{E0030}-\\x{E0039}\\x{E0061}-\\x{E007A}]+\\x{E007F}"
				+ "|(\\p{IsIdeographic})[\\x{E0100}-\\x{E01EF}]");

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
		return UNSEEN.matcher(SHAPED.matcher(text).replaceAll("$1$2$3$4")).find()
				? Message.of("settings.profile-unseen") : null;
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
