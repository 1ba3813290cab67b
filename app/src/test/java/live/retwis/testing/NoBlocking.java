package live.retwis.testing;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;

/**
 * Has BlockHound watch every test run. Only where tests run: the build also looks for
 * tests in Maven's own JVM, which is not to be changed.
 */
public final class NoBlocking implements TestExecutionListener {

	@Override
	public void testPlanExecutionStarted(TestPlan plan) {
		BlockHound.install();
	}

}
