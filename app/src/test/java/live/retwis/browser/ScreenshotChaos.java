package live.retwis.browser;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * Takes the screenshots of all pages and states in every {@link Look}. In an ordinary run
 * there are few looks.
 */
class ScreenshotChaos {

	@Test
	void everyPageAndStateCanBeUsedInEachWidthColourAndLanguage() {
		System.setProperty(Look.SCREENSHOTS, Look.EVERY);
		try {
			InnerRun
				.of(LauncherDiscoveryRequestBuilder.request()
					.selectors(DiscoverySelectors.selectClass(ScreenshotBrowserTests.class)))
				.assertPasses(5);
		}
		finally {
			System.clearProperty(Look.SCREENSHOTS);
		}
	}

}
