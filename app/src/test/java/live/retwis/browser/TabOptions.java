package live.retwis.browser;

/**
 * How a tab looks to the site. The default is a desktop in light colours that runs
 * scripts.
 *
 * @param width width of the page's viewport in CSS pixels; one of them is one pixel of a
 * screenshot
 * @param height height of the page's viewport in CSS pixels
 * @param dark whether the page sees {@code prefers-color-scheme: dark}, else {@code
 * light}
 * @param javaScript whether the page's scripts run
 */
record TabOptions(int width, int height, boolean dark, boolean javaScript) {

	static TabOptions desktop() {
		return new TabOptions(1280, 800, false, true);
	}

	static TabOptions phone() {
		return new TabOptions(390, 844, false, true);
	}

	TabOptions inTheDark() {
		return new TabOptions(this.width, this.height, true, this.javaScript);
	}

	TabOptions withoutJavaScript() {
		return new TabOptions(this.width, this.height, this.dark, false);
	}

}
