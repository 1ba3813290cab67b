package live.retwis.browser;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * Runs every browser test in Firefox. In an ordinary run the long ones run in Chromium
 * alone.
 */
class FirefoxChaos {

	@Test
	void everyBrowserTestPassesInFirefox() {
		InnerRun
			.of(LauncherDiscoveryRequestBuilder.request()
				.selectors(DiscoverySelectors.selectPackage(getClass().getPackageName()))
				.filters(ClassNameFilter.includeClassNamePatterns(".*BrowserTests"))
				.configurationParameter(BrowserInvocation.BROWSER, "firefox"))
			.assertPasses(50);
	}

}
