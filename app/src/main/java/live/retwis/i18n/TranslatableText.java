package live.retwis.i18n;

import java.util.List;

/**
 * A text for people, written in English.
 *
 * @param english with {@code %s} for each value
 * @param values what goes there
 */
public record TranslatableText(String english, List<Object> values) implements Localized {

	/** A text with its values. */
	public static TranslatableText of(String english, Object... values) {
		return new TranslatableText(english, List.of(values));
	}

	@Override
	public String in(Language language) {
		return this.values.isEmpty() ? language.say(this.english)
				: String.format(language.locale(), language.say(this.english), this.values.toArray());
	}

	/** In English: for logs. */
	@Override
	public String toString() {
		return in(Language.EN);
	}

}
