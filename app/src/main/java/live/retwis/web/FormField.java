package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * A field of a form that is shown again.
 *
 * @param value what the visitor typed; never a password
 * @param error what is wrong with the value; null when nothing is
 */
public record FormField(String value, @Nullable Localized error) {

	/** A field of an empty form. */
	public static final FormField EMPTY = new FormField("", null);

}
