package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.xray.KnownScripts.KnownScript;
import org.jspecify.annotations.Nullable;

/**
 * Blanks what is secret in a command, at the moment at which the command is sent. Three
 * rules apply, and each would do for most secrets: the family of a key may say that
 * everything about it is secret, a text that has a secret of this request is blanked, and
 * so is a text that looks like a token or a hash. A command that is not known is shown
 * without its arguments.
 */
final class Redaction {

	/** What is shown in place of a secret. */
	static final String BLANK = "…";

	/** A token, a hash of one, or an encoded password. */
	private static final Pattern LIKE_A_SECRET = Pattern.compile("[A-Za-z0-9_+/=-]{40}|\\{bcrypt|\\$2[aby]\\$");

	/** Scripts whose values are secret, although they have no secret key. */
	private static final Set<String> SECRET_SCRIPTS = Set.of("replace-password", "rotate-auth", "close-account");

	private static final Set<String> WITHOUT_KEYS = Set.of("WAIT", "TIME", "PING");

	private static final Set<String> ONLY_KEYS = Set.of("DEL", "UNLINK", "EXISTS", "MGET");

	private static final Set<String> SECOND_IS_KEY = Set.of("XGROUP", "XINFO", "OBJECT", "MEMORY");

	private static final Set<String> SCRIPTS = Set.of("EVAL", "EVALSHA");

	/** Their arguments have no key at a place that is known here. */
	private static final Set<String> UNKNOWN = Set.of("SCAN", "XREADGROUP", "SUBSCRIBE", "CLIENT", "HELLO", "AUTH",
			"CLUSTER", "INFO", "CONFIG", "ACL");

	private static final String USER = "user:<id>";

	private final KnownScripts scripts;

	/** What this request knows that nobody else may. */
	private final List<String> secrets;

	Redaction(KnownScripts scripts, List<String> secrets) {
		this.scripts = scripts;
		this.secrets = secrets;
	}

	/** The command without secrets. */
	Shown of(String name, List<String> arguments) {
		if (SCRIPTS.contains(name) && arguments.size() > 1) {
			return script(name, arguments);
		}
		if (UNKNOWN.contains(name) || arguments.isEmpty()) {
			return new Shown(name, arguments.isEmpty() ? List.of() : List.of(BLANK), List.of(), 0, null);
		}
		if (WITHOUT_KEYS.contains(name)) {
			return new Shown(name, arguments.stream().map(this::text).toList(), List.of(), 0, null);
		}
		int first = (SECOND_IS_KEY.contains(name) && arguments.size() > 1) ? 1 : 0;
		int end = ONLY_KEYS.contains(name) ? arguments.size() : Math.min(first + 1, arguments.size());
		return new Shown(name, redacted(name, arguments, first, end, false), keys(arguments, first, end), 0, null);
	}

	private Shown script(String name, List<String> arguments) {
		KnownScript script = this.scripts.find(arguments.get(0));
		int keys = Integer.parseInt(arguments.get(1));
		int end = Math.min(2 + keys, arguments.size());
		boolean secret = script == null || SECRET_SCRIPTS.contains(script.name());
		List<String> shown = redacted(name, arguments.subList(1, arguments.size()), 1, end - 1, secret);
		return new Shown(name, shown.subList(1, shown.size()), keys(arguments, 2, end), end - 2, script);
	}

	/**
	 * The arguments as they are shown.
	 * @param first where the keys begin
	 * @param end where they end
	 * @param secret whether all other arguments are secret in any case
	 */
	private List<String> redacted(String name, List<String> arguments, int first, int end, boolean secret) {
		boolean blank = secret || arguments.subList(first, end)
			.stream()
			.anyMatch((key) -> KeyVisibilityRule.of(key).map(KeyVisibilityRule::secret).orElse(true));
		boolean ofUser = first < end && KeyVisibilityRule.of(arguments.get(first))
			.filter((family) -> family.name().equals(USER))
			.isPresent();
		List<String> shown = new ArrayList<>(arguments.size());
		for (int i = 0; i < arguments.size(); i++) {
			String argument = arguments.get(i);
			boolean follows = ofUser && name.startsWith("H") && i > end
					&& KeyVisibilityRule.SECRET_FIELDS.contains(arguments.get(i - 1)) && name.contains("SET");
			shown.add((i >= first && i < end) ? key(argument)
					: (i < first) ? argument : (blank || follows) ? BLANK : text(argument));
		}
		return shown;
	}

	private static String key(String key) {
		return KeyVisibilityRule.of(key).map((family) -> family.shown(key)).orElse(BLANK);
	}

	private String text(String text) {
		return (this.secrets.stream().anyMatch(text::contains) || LIKE_A_SECRET.matcher(text).find()) ? BLANK : text;
	}

	/** The keys that a look-up may ask about, if the viewer may. */
	private static List<String> keys(List<String> arguments, int first, int end) {
		return IntStream.range(first, end)
			.mapToObj(arguments::get)
			.filter((key) -> KeyVisibilityRule.of(key)
				.filter((family) -> family.readers() != KeyVisibilityRule.Readers.NOBODY)
				.isPresent())
			.toList();
	}

	/** Whether the viewer may know how large an answer about these keys is. */
	static boolean isReadable(List<String> keys, Optional<String> viewerId) {
		return keys.stream()
			.allMatch((
					key) -> KeyVisibilityRule.of(key).filter((family) -> family.isReadable(key, viewerId)).isPresent());
	}

	/**
	 * A command without secrets.
	 *
	 * @param name name of the command
	 * @param arguments its arguments; of a script the keys and the values
	 * @param keys the keys that somebody may look into
	 * @param scriptKeys how many of the arguments are keys of a script
	 * @param script the script; null for any other command
	 */
	record Shown(String name, List<String> arguments, List<String> keys, int scriptKeys, @Nullable KnownScript script) {
	}

}
