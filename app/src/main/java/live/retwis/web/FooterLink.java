package live.retwis.web;

import live.retwis.i18n.Localized;

/**
 * A link at the foot of each page, to a feature that is not there on each site.
 *
 * @param address inside the site
 * @param text of the link
 */
public record FooterLink(String address, Localized text) {
}
