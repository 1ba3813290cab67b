package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * A link at the foot of each page. A feature that can be switched off adds its own.
 *
 * @param address path inside the site
 * @param text text of the link
 * @param script file name of a script of the feature, which every page has; null for none
 */
public record FooterLink(String address, Localized text, @Nullable String script) {

	/** A link of a feature without a script of its own. */
	public FooterLink(String address, Localized text) {
		this(address, text, null);
	}

}
