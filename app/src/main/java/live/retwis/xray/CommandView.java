package live.retwis.xray;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.xray.KnownScripts.KnownScript;
import org.jspecify.annotations.Nullable;

/**
 * A command as the panel shows it.
 *
 * @param command its name, or the file name of the script
 * @param explanation address of the paragraph about it
 * @param words its arguments
 * @param left says how many arguments are left out; null for none
 * @param time how long its answer took
 * @param answer how large its answer was; null when that is not shown
 * @param source the script with its keys and values filled in; null for any other command
 */
record CommandView(String command, String explanation, List<WordView> words, @Nullable Localized left, Localized time,
		@Nullable Localized answer, @Nullable String source) {

	/** A text that redis-cli would show without quotation marks. */
	private static final String PLAIN = "[^\\s\"'\\\\]+";

	/** Most characters of one argument in the line of the command. */
	private static final int LONGEST = 300;

	/** Where a script reads a key or a value. */
	private static final Pattern PLACE = Pattern.compile("\\b(KEYS|ARGV)\\[(\\d{1,3})\\]");

	/**
	 * Makes the view of a command.
	 * @param linked keys whose page the viewer can open
	 * @param sized whether the viewer may know how large the answer was
	 * @param sentAgain whether the node did not know the script, and got its text next
	 */
	static CommandView of(RecordedCommand command, Set<String> linked, boolean sized, boolean sentAgain) {
		Redaction.Shown shown = command.shown();
		KnownScript script = shown.script();
		List<WordView> words = IntStream.range(0, shown.arguments().size())
			.mapToObj((i) -> WordView.of(shown.arguments().get(i), shown.keys(), linked))
			.toList();
		return new CommandView((script != null) ? script.name() + ".lua" : shown.name(),
				XrayCommandReferenceHandler.PATH + "#"
						+ ((script != null) ? "script-" + script.name() : shown.name().toLowerCase(Locale.ROOT)),
				words, (command.left() > 0) ? Message.of("xray.left", command.left()) : null, time(command),
				sentAgain ? Message.of("xray.unknown-script") : answer(command, sized),
				(script != null) ? filledIn(script, shown) : null);
	}

	private static Localized time(RecordedCommand command) {
		return (command.arrived() == 0) ? Message.of("xray.no-answer") : Message.of("xray.ms", millis(command.nanos()));
	}

	/** A time in ms with three digits after the point. */
	static String millis(long nanos) {
		return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
	}

	private static @Nullable Localized answer(RecordedCommand command, boolean sized) {
		if (command.failed()) {
			return Message.of("xray.failed");
		}
		if (!sized || command.elements() < 0) {
			return null;
		}
		return (command.elements() == 0) ? Message.of("xray.answer-none")
				: Message.of("xray.answer", command.elements(), command.bytes());
	}

	/** The script with each {@code KEYS[n]} and {@code ARGV[n]} replaced by its value. */
	private static String filledIn(KnownScript script, Redaction.Shown shown) {
		return script.source()
			.lines()
			.map((line) -> line.startsWith("--") ? line : filledIn(line, shown))
			.collect(Collectors.joining("\n"));
	}

	private static String filledIn(String line, Redaction.Shown shown) {
		List<String> keys = shown.arguments().subList(0, shown.scriptKeys());
		List<String> values = shown.arguments().subList(shown.scriptKeys(), shown.arguments().size());
		return PLACE.matcher(line).replaceAll((place) -> {
			List<String> from = place.group(1).equals("KEYS") ? keys : values;
			int number = Integer.parseInt(place.group(2));
			return Matcher.quoteReplacement(
					(number >= 1 && number <= from.size()) ? luaString(from.get(number - 1)) : place.group());
		});
	}

	private static String luaString(String text) {
		return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
	}

	/**
	 * An argument.
	 *
	 * @param text as redis-cli would show it
	 * @param address the page of the key; null when it is no key, or has no page
	 */
	record WordView(String text, @Nullable String address) {

		static WordView of(String argument, List<String> keys, Set<String> linked) {
			return new WordView(quoted(argument), (keys.contains(argument) && linked.contains(argument))
					? KeyBrowserHandler.address(argument) : null);
		}

		private static String quoted(String text) {
			String shown = (text.length() <= LONGEST) ? text : text.substring(0, LONGEST) + Redaction.BLANK;
			return shown.matches(PLAIN) ? shown
					: "\"" + shown.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
		}

	}

	/**
	 * A key with what a look at it told.
	 *
	 * @param key its name
	 * @param address its page
	 * @param look what the look told
	 * @param node host and port of the node that was asked for it
	 */
	record KeyView(String key, String address, KeyMetadata look, String node) {

		static Stream<KeyView> of(Map<String, KeyMetadata> looks, String key, Map<String, String> nodes) {
			KeyMetadata look = looks.get(key);
			return (look != null)
					? Stream.of(new KeyView(key, KeyBrowserHandler.address(key), look, nodes.getOrDefault(key, "")))
					: Stream.empty();
		}

	}

}
