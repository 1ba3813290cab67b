package live.retwis.web;

import java.util.Optional;
import java.util.function.Predicate;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * A link at the foot of each page. A feature that can be switched off adds its own.
 *
 * @param address path inside the site. For a link to the current page: that page's
 * address, up to the parameter
 * @param text text of the link
 * @param parameter name of the parameter with which it leads to the page that it stands
 * on; null when it leads to another page
 * @param script file name of a script of the feature, which every page has; null for none
 * @param audience whether a viewer sees the link; asked without one when nobody is signed
 * in
 */
public record FooterLink(String address, Localized text, @Nullable String parameter, @Nullable String script,
		Predicate<Optional<Viewer>> audience) {

	private static final Predicate<Optional<Viewer>> EVERYBODY = (viewer) -> true;

	/** A link to another page, for everybody. */
	public FooterLink(String address, Localized text) {
		this(address, text, null, null, EVERYBODY);
	}

	/**
	 * A link to the page that it stands on, with {@code 1} for a parameter.
	 * @param parameter name of the parameter
	 * @param audience whether a viewer sees the link
	 */
	public static FooterLink here(String parameter, Localized text, Predicate<Optional<Viewer>> audience) {
		return new FooterLink("", text, parameter, null, audience);
	}

	/** A link to another page, for everybody, of a feature with a script. */
	public static FooterLink withScript(String address, Localized text, String script) {
		return new FooterLink(address, text, null, script, EVERYBODY);
	}

	/** Whether the viewer sees the link. */
	boolean isFor(Optional<Viewer> viewer) {
		return this.audience.test(viewer);
	}

	/** The link as it stands on a page. */
	FooterLink on(PageAddress page) {
		return (this.parameter == null) ? this
				: new FooterLink(page.before(this.parameter), this.text, this.parameter, this.script, this.audience);
	}

}
