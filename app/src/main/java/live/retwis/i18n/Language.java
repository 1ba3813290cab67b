package live.retwis.i18n;

import java.util.Locale;
import java.util.Map;

/**
 * A language of the pages, with its texts.
 */
public final class Language {

	private final Locale locale;

	private final String tag;

	private final Catalogue texts;

	Language(Locale locale, Catalogue texts) {
		this.locale = locale;
		this.tag = locale.toLanguageTag();
		this.texts = texts;
	}

	/** The tag in {@code <html lang>}. */
	public String tag() {
		return this.tag;
	}

	/** The name of the language, in the language itself. */
	public String name() {
		return text("language.name");
	}

	/** The locale for dates and numbers. */
	public Locale locale() {
		return this.locale;
	}

	/**
	 * The text with the key.
	 * @param values replace {@code {0}}, {@code {1}} and so on
	 * @throws org.springframework.context.NoSuchMessageException when there is no such
	 * key
	 */
	public String text(String key, Object... values) {
		return this.texts.text(this.locale, key, values);
	}

	/**
	 * The texts whose keys begin with the prefix, as they are written, by the rest of
	 * their keys.
	 */
	public Map<String, String> texts(String prefix) {
		return this.texts.texts(this.locale, prefix);
	}

	@Override
	public String toString() {
		return tag();
	}

}
