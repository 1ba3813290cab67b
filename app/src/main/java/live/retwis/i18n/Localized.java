package live.retwis.i18n;

/**
 * A text that differs between languages. A template shows it in the language of its page.
 */
@FunctionalInterface
public interface Localized {

	/** The text in the language. */
	String in(Language language);

	/** A text that is the same in every language, such as a name. */
	static Localized verbatim(String text) {
		return (language) -> text;
	}

}
