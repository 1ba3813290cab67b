package live.retwis.post;

import live.retwis.i18n.Localized;

/**
 * A button or link on the page of a post.
 *
 * @param label what it does
 * @param address the form that it sends; for a link the page that it leads to
 * @param link whether it is a link
 */
public record PostMenuItem(Localized label, String address, boolean link) {
}
