package live.retwis.text;

import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The words by which a text is found: runs of letters, digits, marks and {@code _}, in
 * NFKC and lower case. Chinese and Japanese have no spaces between words, so there each
 * pair of neighbouring characters counts as a word.
 */
public final class SearchWords {

	/** Most characters of a word; the rest of a longer one does not count. */
	public static final int LONGEST = 40;

	/** The prolonged sound mark of Japanese, which Unicode counts to no script. */
	private static final int PROLONGED = 0x30FC;

	private final Set<String> words = new LinkedHashSet<>();

	/** The run of characters of the same kind that is being read. */
	private final StringBuilder run = new StringBuilder();

	private boolean spaced = true;

	private SearchWords() {
	}

	/** The words of a text, each once, in their order. */
	public static Set<String> of(String text) {
		SearchWords reading = new SearchWords();
		fold(text).codePoints().forEach(reading::read);
		reading.end();
		return reading.words;
	}

	private static String fold(String text) {
		String lower = LowerCase.of(Normalizer.normalize(text, Normalizer.Form.NFKC));
		return Normalizer.normalize(lower, Normalizer.Form.NFKC);
	}

	/**
	 * Whether posts are found by the word. A single letter is in too many posts to tell
	 * anything.
	 */
	public static boolean isTelling(String word) {
		return word.codePointCount(0, word.length()) > 1 || isUnspaced(word.codePointAt(0));
	}

	private void read(int character) {
		if (!HashtagRules.isPart(character)) {
			end();
			return;
		}
		if (!HashtagRules.isMark(character) && isUnspaced(character) == this.spaced) {
			end();
			this.spaced = !this.spaced;
		}
		this.run.appendCodePoint(character);
	}

	/** Whether the character belongs to a script that has no spaces between words. */
	private static boolean isUnspaced(int character) {
		return Character.isIdeographic(character) || character == PROLONGED
				|| switch (Character.UnicodeScript.of(character)) {
					case HIRAGANA, KATAKANA -> true;
					default -> false;
				};
	}

	private void end() {
		int[] characters = this.run.codePoints().toArray();
		this.run.setLength(0);
		if (this.spaced || characters.length < 2) {
			add(characters, 0, Math.min(characters.length, LONGEST));
		}
		else {
			for (int i = 0; i + 1 < characters.length; i++) {
				add(characters, i, 2);
			}
		}
	}

	private void add(int[] characters, int from, int count) {
		if (count > 0) {
			this.words.add(new String(characters, from, count));
		}
	}

}
