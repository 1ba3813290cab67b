package live.retwis.web;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * What every page shows around its content.
 *
 * @param language language of the page
 * @param title title of the page
 * @param assets address prefix of the static files
 * @param viewer the signed-in user; null when nobody is signed in
 * @param csrf token for the page's forms; null when the page has none
 * @param loginUrl address of the log-in page, which leads back to this page
 * @param live address of the page's stream; null when the page has none
 * @param position of the log before anything was read for the page. A page with a live
 * list has it in the address of its stream
 * @param olderAway whether older posts are missing on the page, because the archive is
 * away
 * @param heartbeat how often a quiet stream shows that it is alive, in ms
 * @param otherLanguages the other languages that the page can be read in
 * @param links links of features at the foot of the page
 * @param address address of the page, for links to the page itself
 */
public record PageFrame(Language language, Localized title, String assets, @Nullable Viewer viewer,
		@Nullable String csrf, String loginUrl, @Nullable String live, String position, boolean olderAway,
		long heartbeat, List<Language> otherLanguages, List<FooterLink> links, PageAddress address) {

	/**
	 * The frame of a page that answers a form, when nothing answers GET at the address of
	 * the form.
	 * @param page address of the page that the form is on
	 */
	public PageFrame at(String page) {
		return new PageFrame(this.language, this.title, this.assets, this.viewer, this.csrf, this.loginUrl, this.live,
				this.position, this.olderAway, this.heartbeat, this.otherLanguages, this.links,
				new PageAddress(page, ""));
	}

	/**
	 * The address of this page in another language, as far as the place where the
	 * language comes.
	 */
	String inLanguage() {
		return this.address.before(Languages.PARAMETER);
	}

	/** The links at the foot of the page that its viewer sees. */
	List<FooterLink> foot() {
		return this.links.stream()
			.filter((link) -> link.isFor(Optional.ofNullable(this.viewer)))
			.map((link) -> link.on(this.address))
			.toList();
	}

}
