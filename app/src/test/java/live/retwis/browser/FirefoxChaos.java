package live.retwis.browser;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs every browser test in Firefox. In an ordinary run the long ones run in Chromium
 * alone.
 */
class FirefoxChaos {

	@Test
	void everyBrowserTestPassesInFirefox() {
		LauncherDiscoveryRequest tests = LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectPackage(getClass().getPackageName()))
			.filters(ClassNameFilter.includeClassNamePatterns(".*BrowserTests"))
			.configurationParameter(BrowserInvocation.BROWSER, "firefox")
			.build();
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create().execute(tests, listener);
		TestExecutionSummary summary = listener.getSummary();
		assertThat(summary.getTestsFoundCount()).isGreaterThan(50);
		assertThat(summary.getTotalFailureCount()).as(failures(summary)).isZero();
	}

	private static String failures(TestExecutionSummary summary) {
		StringWriter failures = new StringWriter();
		summary.printFailuresTo(new PrintWriter(failures, true));
		return failures.toString();
	}

}
