package live.retwis.i18n;

/**
 * Something that reads differently in each language. Templates show it in theirs.
 */
@FunctionalInterface
public interface Localized {

	/** As it reads in that language. */
	String in(Language language);

	/** A name, or anything else that reads the same in each. */
	static Localized verbatim(String text) {
		return (language) -> text;
	}

}
