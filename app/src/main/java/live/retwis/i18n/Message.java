package live.retwis.i18n;

import java.util.List;

/**
 * A text for people.
 *
 * @param key the key in {@code templates/words}: the page or feature, then the purpose
 * @param values replace {@code {0}}, {@code {1}} and so on; numbers choose plural forms,
 * and texts that differ between languages are shown in the language of the message
 */
public record Message(String key, List<Object> values) implements Localized {

	/** A text with its values. */
	public static Message of(String key, Object... values) {
		return new Message(key, List.of(values));
	}

	@Override
	public String in(Language language) {
		return language.text(this.key,
				this.values.stream()
					.map((value) -> (value instanceof Localized text) ? text.in(language) : value)
					.toArray());
	}

}
