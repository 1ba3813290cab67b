package live.retwis.web;

import live.retwis.i18n.Localized;

/**
 * A link at the foot of each page. A feature that can be switched off adds its own.
 *
 * @param address path inside the site
 * @param text text of the link
 */
public record FooterLink(String address, Localized text) {
}
