package live.retwis.account;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rules for names: 1 to 30 of {@code [A-Za-z0-9_]}. Names are compared in lower case.
 */
public final class UsernameRules {

	/** Most characters of a name. */
	public static final int LENGTH = 30;

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_]{1," + LENGTH + "}");

	private UsernameRules() {
	}

	/** Whether a name may be registered. Nobody has any other name. */
	public static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

	/** The form in which names are compared and stored as keys. */
	public static String fold(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

}
