package live.retwis.account;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import me.gosimple.nbvcxz.resources.DictionaryUtil;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Says which passwords a user may choose. Only length makes a password hard to guess, so
 * nothing is said about kinds of characters. But what people choose most often is guessed
 * first, however long it is.
 */
@Component
public class PasswordRules {

	/** Code points. Shorter passwords are guessed too quickly. */
	static final int SHORTEST = 10;

	/** Code points. More than anybody types, and quick to read. */
	static final int LONGEST = 128;

	/** How many of the most common passwords are refused. */
	private static final int COMMON = 10_000;

	/** Those of them that are long enough, in lower case. Read once, at the start. */
	private static final Set<String> TOO_COMMON = DictionaryUtil.loadRankedDictionary(DictionaryUtil.passwords)
		.entrySet()
		.stream()
		.filter((ranked) -> ranked.getValue() <= COMMON)
		.map(Map.Entry::getKey)
		.filter((password) -> length(password) >= SHORTEST)
		.map(PasswordRules::inLowerCase)
		.collect(Collectors.toUnmodifiableSet());

	/** What is wrong with a new password; null for nothing. */
	public @Nullable Localized fault(String password, String username) {
		if (length(password) < SHORTEST) {
			return Message.of("register.password-short", SHORTEST);
		}
		if (length(password) > LONGEST) {
			return Message.of("register.password-long", LONGEST);
		}
		if (password.equalsIgnoreCase(username)) {
			return Message.of("register.password-username");
		}
		return TOO_COMMON.contains(inLowerCase(password)) ? Message.of("register.password-common") : null;
	}

	private static int length(String password) {
		return password.codePointCount(0, password.length());
	}

	private static String inLowerCase(String password) {
		return password.toLowerCase(Locale.ROOT);
	}

}
