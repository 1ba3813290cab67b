package live.retwis.importing;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Numbers of users and posts of the PHP Retwis. They count from 1. */
final class RetwisNumber {

	private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,11}");

	private RetwisNumber() {
	}

	/** Reads a number; empty when the text is none. */
	static OptionalLong parse(String text) {
		return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
	}

}
