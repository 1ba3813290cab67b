package live.retwis.web;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.i18n.Language;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a module and a rule of the texts that scripts and the stylesheet show. Their keys
 * begin with {@code script.} and {@code style.}.
 */
final class BrowserTexts {

	/** Stands in a script where its texts belong. */
	private static final String PLACE = "TEXTS_OF_THE_LANGUAGE";

	/** The module {@code texts.js}, before {@link #fill} puts the texts into it. */
	static final String MODULE = "export default " + PLACE + ";\n";

	/** What can be a key in a script. A quote that ends one may begin the next. */
	private static final Pattern KEY = Pattern.compile("\"([\\w.-]+)(?=\")");

	private BrowserTexts() {
	}

	/**
	 * Puts the texts into a script that was joined with {@link #MODULE}: those whose keys
	 * it names, by their keys.
	 */
	static String fill(String script, Language language) {
		Map<String, String> named = new TreeMap<>(language.texts("script."));
		named.keySet().retainAll(KEY.matcher(script).results().map((key) -> key.group(1)).collect(Collectors.toSet()));
		return script.replace(PLACE, json(named));
	}

	/** A rule with a custom property {@code --text-<key>} for each text. */
	static String style(Language language) {
		return language.texts("style.")
			.entrySet()
			.stream()
			.map((text) -> "--text-" + text.getKey() + ": " + json(text.getValue()) + ";")
			.collect(Collectors.joining(" ", ":root { ", " }\n"));
	}

	/** A plain text is written in the same way in JSON and in a stylesheet. */
	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
