package live.retwis.testing;

import java.lang.StackWalker.StackFrame;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;
import reactor.blockhound.BlockingOperationError;

/**
 * Has BlockHound watch every test run. Only where tests run: the build also looks for
 * tests in Maven's own JVM, which is not to be changed.
 * <p>
 * Two threads that meet at a lock are no finding. Netty, Lettuce, Redisson, Caffeine and
 * the JDK's own thread pools take locks for a few instructions on event loops. When a
 * machine is busy, one thread now and then waits there for microseconds. An error thrown
 * in the middle of that would lose whatever the thread was about to do.
 */
public final class NoBlocking implements TestExecutionListener {

	/**
	 * The lab compares Redisson as it comes, whose workers are of the kind that is taken
	 * for event loops and wait for work. The site's own locks have other threads.
	 */
	private static final String REDISSON = "redisson-";

	/** Between a lock and the blocking call below it. */
	private static final int FRAMES = 12;

	@Override
	public void testPlanExecutionStarted(TestPlan plan) {
		BlockHound.builder()
			.loadIntegrations()
			// Each TLS connection takes random numbers of the system, which never waits.
			.allowBlockingCallsInside("sun.security.provider.NativePRNG", "engineNextBytes")
			.nonBlockingThreadPredicate((watched) -> watched.and((thread) -> !thread.getName().startsWith(REDISSON)))
			.blockingMethodCallback(NoBlocking::found)
			.install();
	}

	private static void found(BlockingMethod method) {
		if (!isSpinning(method) && !StackWalker.getInstance().walk(NoBlocking::isAtALock)) {
			throw new BlockingOperationError(method);
		}
	}

	/** Caffeine and Lettuce do so before they take a lock. */
	private static boolean isSpinning(BlockingMethod method) {
		return method.getName().equals("onSpinWait");
	}

	private static boolean isAtALock(Stream<StackFrame> frames) {
		return frames.limit(FRAMES)
			.anyMatch((frame) -> frame.getClassName().equals(ReentrantLock.class.getName())
					&& frame.getMethodName().equals("lock"));
	}

}
