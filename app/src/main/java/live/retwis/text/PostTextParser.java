package live.retwis.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Parses the text of one post from left to right. No character is looked at more than a
 * few times.
 */
final class PostTextParser {

	private static final List<String> SCHEMES = List.of("http://", "https://");

	private static final String IN_URL = "-._~:/?#[]@!$&'()*+,;=%";

	/** These end a sentence, and not the address that the sentence ends with. */
	private static final String AFTER_URL = ".,:;!?'";

	private static final int LONGEST_NAME = 30;

	private final String text;

	private final List<TextPart> parts = new ArrayList<>();

	private final Set<String> tags = new HashSet<>();

	private final Set<String> names = new HashSet<>();

	/** Where the text begins that is in no part yet. */
	private int rest;

	PostTextParser(String text) {
		this.text = text;
	}

	List<TextPart> parse() {
		int at = 0;
		while (at < this.text.length()) {
			int end = switch (this.text.charAt(at)) {
				case '@' -> mention(at);
				case '#' -> tag(at);
				case 'h', 'H' -> url(at);
				default -> at;
			};
			at = Math.max(end, at + 1);
		}
		addPlain(at);
		return List.copyOf(this.parts);
	}

	/** Parses a mention. This and the others return {@code at} if there is none. */
	private int mention(int at) {
		int end = end(at + 1, PostTextParser::isInName);
		String name = this.text.substring(at + 1, end).toLowerCase(Locale.ROOT);
		if (name.isEmpty() || name.length() > LONGEST_NAME || !mayBegin(at, "@/") || isTooMany(this.names, name)) {
			return at;
		}
		return add(at, end, new TextPart.Mention(this.text.substring(at, end), name));
	}

	private static boolean isInName(int character) {
		return isLatin(character) || character == '_';
	}

	/** Letters and digits of English. */
	private static boolean isLatin(int character) {
		return character < 128 && Character.isLetterOrDigit(character);
	}

	private int tag(int at) {
		int end = end(at + 1, HashtagRules::isPart);
		String written = this.text.substring(at + 1, end);
		if (!mayBegin(at, "&/") || !HashtagRules.isValid(written)) {
			return at;
		}
		String tag = HashtagRules.fold(written);
		return (!HashtagRules.isValid(tag) || isTooMany(this.tags, tag)) ? at
				: add(at, end, new TextPart.Tag(this.text.substring(at, end), tag));
	}

	/** Whether another one is too many. If not, it is counted. */
	private static boolean isTooMany(Set<String> known, String one) {
		if (known.size() < ParsedPostText.MOST) {
			known.add(one);
		}
		return !known.contains(one);
	}

	/**
	 * Parses an address. One that names a user before its host, as in
	 * {@code https://example.com@example.org}, stays plain text, because it can look like
	 * another site.
	 */
	private int url(int at) {
		int host = SCHEMES.stream()
			.filter((scheme) -> hasAt(at, scheme))
			.mapToInt((scheme) -> at + scheme.length())
			.findFirst()
			.orElse(at);
		if (host == at || !mayBegin(at, "") || !beginsHost(host)) {
			return at;
		}
		int end = withoutPunctuation(host, end(host, PostTextParser::isInUrl));
		String address = this.text.substring(at, end);
		boolean namesUser = address.substring(host - at).split("[/?#]", 2)[0].contains("@");
		return namesUser ? end : add(at, end, new TextPart.Url(address, host - at));
	}

	/**
	 * Whether a host can begin here. This is asked before the end of the address is
	 * looked for: if it cannot, the rest is read again.
	 */
	private boolean beginsHost(int at) {
		return at < this.text.length() && Character.isLetterOrDigit(this.text.codePointAt(at))
				&& isInUrl(this.text.codePointAt(at));
	}

	/**
	 * Whether the text has a scheme here, in small or capital letters.
	 * {@link String#regionMatches} would take the long s (U+017F) for an s, because both
	 * have the same capital letter. To a browser it is another letter.
	 */
	private boolean hasAt(int at, String scheme) {
		int end = at + scheme.length();
		return end <= this.text.length() && this.text.substring(at, end).toLowerCase(Locale.ROOT).equals(scheme);
	}

	/** Ideographs end an address, because they follow without a space. */
	private static boolean isInUrl(int character) {
		return isLatin(character) || IN_URL.indexOf(character) >= 0
				|| (character >= 128 && !Character.isIdeographic(character)
						&& (Character.isLetterOrDigit(character) || HashtagRules.isMark(character)));
	}

	/**
	 * The end of an address without the punctuation after it. A closing bracket belongs
	 * to the address only if the address has the opening one.
	 */
	private int withoutPunctuation(int begin, int end) {
		int round = surplus(begin, end, '(', ')');
		int square = surplus(begin, end, '[', ']');
		int last = end;
		while (last > begin) {
			char character = this.text.charAt(last - 1);
			if (character == ')' && round > 0) {
				round--;
			}
			else if (character == ']' && square > 0) {
				square--;
			}
			else if (AFTER_URL.indexOf(character) < 0) {
				break;
			}
			last--;
		}
		return last;
	}

	/** How many closing brackets there are more than opening ones. */
	private int surplus(int begin, int end, char opening, char closing) {
		return this.text.substring(begin, end)
			.chars()
			.map((character) -> (character == closing) ? 1 : (character == opening) ? -1 : 0)
			.sum();
	}

	/**
	 * Whether a part may begin here: not within a word, and not after these characters.
	 * Ideographs are no words, because Chinese is written without spaces.
	 */
	private boolean mayBegin(int at, String notAfter) {
		if (at == 0) {
			return true;
		}
		int before = this.text.codePointBefore(at);
		return notAfter.indexOf(before) < 0 && (!Character.isLetterOrDigit(before) || Character.isIdeographic(before));
	}

	/** The index of the first character, from an index on, that does not fit. */
	private int end(int from, IntPredicate fits) {
		int at = from;
		while (at < this.text.length() && fits.test(this.text.codePointAt(at))) {
			at += Character.charCount(this.text.codePointAt(at));
		}
		return at;
	}

	private int add(int at, int end, TextPart part) {
		addPlain(at);
		this.parts.add(part);
		this.rest = end;
		return end;
	}

	private void addPlain(int end) {
		if (end > this.rest) {
			this.parts.add(new TextPart.Plain(this.text.substring(this.rest, end)));
		}
	}

}
