package live.retwis.text;

import java.text.Normalizer;
import java.util.Optional;

/**
 * Rules for hashtags, without their {@code #}: letters, digits and marks of any script,
 * and {@code _}. At most 100 characters, of which at least one is a letter.
 */
public final class HashtagRules {

	/** Most characters, before and after folding. */
	static final int LONGEST = 100;

	private HashtagRules() {
	}

	/**
	 * The form in which tags are compared, stored as keys and written in addresses: NFKC
	 * in lower case. It has only characters of tags. So it is empty, or no tag, for texts
	 * that are none.
	 */
	public static String fold(String tag) {
		String lower = LowerCase.of(compatible(tag));
		return compatible(lower.codePoints()
			.filter(HashtagRules::isPart)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString());
	}

	/** A text {@linkplain #fold folded}; empty when it is no tag. */
	public static Optional<String> find(String text) {
		return Optional.of(fold(text)).filter(HashtagRules::isValid);
	}

	private static String compatible(String text) {
		return Normalizer.normalize(text, Normalizer.Form.NFKC);
	}

	/** Whether a text is a tag. */
	public static boolean isValid(String text) {
		return text.codePointCount(0, text.length()) <= LONGEST && text.codePoints().allMatch(HashtagRules::isPart)
				&& text.codePoints().anyMatch(Character::isLetter) && !isMark(text.codePointAt(0));
	}

	/** Whether a tag may have the character. */
	static boolean isPart(int character) {
		return Character.isLetterOrDigit(character) || isMark(character) || character == '_';
	}

	/** Whether the character changes the one before it, such as an accent. */
	public static boolean isMark(int character) {
		return switch (Character.getType(character)) {
			case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK -> true;
			default -> false;
		};
	}

}
