package live.retwis.account;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a name may be: 1 to 30 of {@code [A-Za-z0-9_]}, compared folded to lower case.
 */
public final class Username {

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_]{1,30}");

	private Username() {
	}

	/** Whether it may be registered; any other name is nobody's. */
	public static boolean isValid(String name) {
		return VALID.matcher(name).matches();
	}

	/** The form in which names are compared. */
	public static String fold(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

}
