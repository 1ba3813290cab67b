package live.retwis.i18n;

import java.util.Locale;
import java.util.Map;

/**
 * A language of the pages, and its texts.
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

	/** As in {@code <html lang>}. */
	public String tag() {
		return this.tag;
	}

	/** What its speakers call it. */
	public String name() {
		return text("language.name");
	}

	/** For dates and numbers. */
	public Locale locale() {
		return this.locale;
	}

	/**
	 * The text of that key.
	 * @param values for its places
	 * @throws org.springframework.context.NoSuchMessageException when there is none
	 */
	public String text(String key, Object... values) {
		return this.texts.text(this.locale, key, values);
	}

	/**
	 * The texts whose keys begin so, by the rest of their keys, as they are written.
	 */
	public Map<String, String> texts(String prefix) {
		return this.texts.texts(this.locale, prefix);
	}

	@Override
	public String toString() {
		return tag();
	}

}
