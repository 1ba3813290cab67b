package live.retwis.browser;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Browser tests that a test runs once more, in another way.
 *
 * @param summary what became of them
 */
record InnerRun(TestExecutionSummary summary) {

	/** Runs the tests. */
	static InnerRun of(LauncherDiscoveryRequestBuilder tests) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create().execute(tests.build(), listener);
		return new InnerRun(listener.getSummary());
	}

	/** Asserts that more than so many tests passed, and none failed. */
	void assertPasses(int more) {
		StringWriter failures = new StringWriter();
		this.summary.printFailuresTo(new PrintWriter(failures, true));
		assertThat(this.summary.getTestsSucceededCount()).isGreaterThan(more);
		assertThat(this.summary.getTotalFailureCount()).as(failures.toString()).isZero();
	}

}
