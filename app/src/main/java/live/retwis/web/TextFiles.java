package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.i18n.Language;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes files of the texts that scripts and the stylesheet show. Their keys begin with
 * {@code script.} and {@code style.}.
 */
final class TextFiles {

	private TextFiles() {
	}

	/**
	 * The files of a language, by their names. {@code texts.js} exports the texts by
	 * their keys. {@code texts.css} has a custom property {@code --text-<key>} for each
	 * text.
	 */
	static Map<String, byte[]> of(Language language) {
		String script = "export default " + json(language.texts("script.")) + ";\n";
		String style = language.texts("style.")
			.entrySet()
			.stream()
			.map((text) -> "--text-" + text.getKey() + ": " + json(text.getValue()) + ";")
			.collect(Collectors.joining(" ", ":root { ", " }\n"));
		return Map.of("texts.js", script.getBytes(StandardCharsets.UTF_8), "texts.css",
				style.getBytes(StandardCharsets.UTF_8));
	}

	/** A plain text is written in the same way in JSON and in a stylesheet. */
	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
