package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * A link at the foot of each page. A feature that can be switched off adds its own.
 *
 * @param address path inside the site, or a query for the page itself
 * @param text text of the link
 * @param here whether it leads to the page that it stands on
 * @param script file name of a script of the feature, which every page has; null for none
 */
public record FooterLink(String address, Localized text, boolean here, @Nullable String script) {

	/** A link to another page. */
	public FooterLink(String address, Localized text) {
		this(address, text, false, null);
	}

	/**
	 * A link to the page that it stands on.
	 * @param query from its question mark on
	 */
	public static FooterLink here(String query, Localized text) {
		return new FooterLink(query, text, true, null);
	}

	/** A link to another page, of a feature with a script. */
	public static FooterLink withScript(String address, Localized text, String script) {
		return new FooterLink(address, text, false, script);
	}

}
