package live.retwis.web;

import java.util.List;

import live.retwis.i18n.Language;
import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * What every page shows around its content.
 *
 * @param language of the page
 * @param title of the page
 * @param assets address prefix of the static files
 * @param viewer who is signed in; null when nobody
 * @param csrf token for the page's forms; null when it has none
 * @param loginUrl signs in and comes back to this page
 * @param live address of the page's stream; null when it has none
 * @param otherLanguages that the page can be read in too
 * @param links that features have at the foot of each page
 */
public record PageFrame(Language language, Localized title, String assets, @Nullable Viewer viewer,
		@Nullable String csrf, String loginUrl, @Nullable String live, List<Language> otherLanguages,
		List<FooterLink> links) {
}
