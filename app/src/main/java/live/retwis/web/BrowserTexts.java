package live.retwis.web;

import java.util.stream.Collectors;

import live.retwis.i18n.Language;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a module and a rule of the texts that scripts and the stylesheet show. Their keys
 * begin with {@code script.} and {@code style.}.
 */
final class BrowserTexts {

	private BrowserTexts() {
	}

	/** The module {@code texts.js}, which exports the texts by their keys. */
	static String script(Language language) {
		return "export default " + json(language.texts("script.")) + ";\n";
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
