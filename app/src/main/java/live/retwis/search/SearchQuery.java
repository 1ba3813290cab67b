package live.retwis.search;

import java.util.List;
import java.util.Set;

import live.retwis.text.SearchWords;

/**
 * What a visitor searches for.
 *
 * @param text as it was typed, without spaces around it
 * @param words its words; no other characters count, so none has a special meaning
 */
record SearchQuery(String text, Set<String> words) {

	/** Most characters of a query. */
	static final int LONGEST = 200;

	/** Most words that a post must have. Further ones do not count. */
	private static final int MOST_WORDS = 5;

	static SearchQuery of(String typed) {
		String text = typed.strip();
		return new SearchQuery(text, isTooLong(text) ? Set.of() : SearchWords.of(text));
	}

	boolean isEmpty() {
		return this.text.isEmpty();
	}

	boolean isTooLong() {
		return isTooLong(this.text);
	}

	private static boolean isTooLong(String text) {
		return text.codePointCount(0, text.length()) > LONGEST;
	}

	/** The words by which posts are found. */
	List<String> telling() {
		return this.words.stream().filter(SearchWords::isTelling).limit(MOST_WORDS).toList();
	}

	/** Identifies the list of posts in cursors. */
	String key() {
		return "search:" + String.join(" ", telling());
	}

}
