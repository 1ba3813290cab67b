package live.retwis.testing;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;

/**
 * Has BlockHound watch every test run. Only where tests run: the build also looks for
 * tests in Maven's own JVM, which is not to be changed.
 */
public final class NoBlocking implements TestExecutionListener {

	/**
	 * The lab compares Redisson as it comes, whose workers are of the kind that is taken
	 * for event loops and wait for work. The site's own locks have other threads.
	 */
	private static final String REDISSON = "redisson-";

	@Override
	public void testPlanExecutionStarted(TestPlan plan) {
		BlockHound.builder()
			.loadIntegrations()
			// Each TLS connection takes random numbers of the system, which never waits.
			.allowBlockingCallsInside("sun.security.provider.NativePRNG", "engineNextBytes")
			.nonBlockingThreadPredicate((watched) -> watched.and((thread) -> !thread.getName().startsWith(REDISSON)))
			.install();
	}

}
