package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * One field of a form that is shown again.
 *
 * @param value what was typed; never a password
 * @param error what is wrong with it; null when nothing
 */
public record FormField(String value, @Nullable Localized error) {

	/** An empty field of a fresh form. */
	public static final FormField EMPTY = new FormField("", null);

}
