package live.retwis.browser;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a picture of a page is taken.
 *
 * @param name width, colours and language, for the name of the picture's file
 * @param options how the tab looks to the site
 * @param language language of the page
 */
record Look(String name, TabOptions options, String language) {

	/** The system property that says how many looks there are. */
	static final String SCREENSHOTS = "retwis.screenshots";

	/** Its value for all looks. */
	static final String EVERY = "all";

	private static final Path PICTURES = Path.of("target", "screenshots");

	/** Each width in each language, and both ends of the widths in the dark. */
	static final List<Look> ALL = Stream
		.concat(Stream.of(360, 768, 1280).flatMap((width) -> Stream.of(light(width, "en"), light(width, "zh"))),
				Stream.of(dark(360, "en"), dark(1280, "zh")))
		.toList();

	/** Together they have both ends of the widths, and each colour and each language. */
	static final List<Look> FEW = List.of(dark(360, "zh"), light(1280, "en"));

	private static Look light(int width, String language) {
		return new Look(width + "-light-" + language, new TabOptions(width, 800, false, true), language);
	}

	private static Look dark(int width, String language) {
		return new Look(width + "-dark-" + language, new TabOptions(width, 800, true, true), language);
	}

	/**
	 * The looks that a kind of browser is tested with: few, or in Chromium all with
	 * {@code -Dretwis.screenshots=all}, for the gallery. All take minutes.
	 */
	static List<Look> of(BrowserKind kind) {
		return (kind == BrowserKind.CHROMIUM && EVERY.equals(System.getProperty(SCREENSHOTS))) ? ALL : FEW;
	}

	/** The folder for the pictures of a kind of browser. */
	static Path folder(BrowserKind kind) {
		return PICTURES.resolve(kind.toString().toLowerCase(Locale.ROOT));
	}

	/** The tab of a user who reads this language. The language is kept in a cookie. */
	Tab open(Browser browser, String start) {
		Tab tab = browser.newTab(this.options);
		tab.open(start + (start.contains("?") ? "&" : "?") + "lang=" + this.language);
		return tab;
	}

	/**
	 * Takes a picture of what the tab shows.
	 * @return what is wrong with the page: that it is wider than its window, what stands
	 * in a wrong place, and why some people cannot use it
	 */
	List<String> picture(Tab tab, BrowserKind kind, String page) {
		String what = page + "-" + this.name;
		assertThat(tab.screenshot(folder(kind).resolve(what + ".png"))).isNotEmptyFile();
		List<String> wrong = new ArrayList<>(Accessibility.violations(tab));
		wrong.addAll(Placement.misplaced(tab));
		if (!Boolean.TRUE.equals(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"))) {
			wrong.add("wider than its window");
		}
		return wrong.stream().map((one) -> what + ": " + one).toList();
	}

}
