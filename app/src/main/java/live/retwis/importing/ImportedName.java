package live.retwis.importing;

import java.util.regex.Pattern;

import live.retwis.account.UsernameRules;

/**
 * What a user of the PHP Retwis is called here. Other characters than
 * {@code [A-Za-z0-9_]} become {@code _}, and the name is cut after 30 characters. A name
 * without letters and digits becomes {@code user_} and the user's number. If somebody has
 * the name, the number is added.
 *
 * @param name a name that may be registered
 * @param number the user's number
 */
record ImportedName(String name, long number) {

	private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_]");

	private static final Pattern NOTHING = Pattern.compile("_*");

	static ImportedName of(RetwisUser user) {
		String name = OTHERS.matcher(user.name()).replaceAll("_");
		return new ImportedName(NOTHING.matcher(name).matches() ? "user_" + user.number() : cut(name, 0),
				user.number());
	}

	/** The name to try first, second and so on, from 1. */
	String attempt(int count) {
		return switch (count) {
			case 1 -> this.name;
			case 2 -> with("_" + this.number);
			default -> with("_" + this.number + "_" + count);
		};
	}

	/** Whether it is one of the names that are tried. */
	boolean isOneOf(String other) {
		return other.equals(this.name) || other.matches("\\w+_" + this.number + "(_\\d+)?");
	}

	private String with(String suffix) {
		return cut(this.name, suffix.length()) + suffix;
	}

	private static String cut(String name, int room) {
		return name.substring(0, Math.min(name.length(), UsernameRules.LENGTH - room));
	}

}
