package live.retwis.testing;

import java.lang.StackWalker.StackFrame;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Stream;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;
import reactor.blockhound.BlockingOperationError;

/**
 * Makes BlockHound watch every test run. It is installed only when tests start, because
 * the build also searches for tests inside Maven's own JVM, which must not be changed.
 * <p>
 * Threads that wait for a lock are not reported. Netty, Lettuce, Redisson, Caffeine and
 * the JDK's thread pools take locks for a few instructions on event loops. On a busy
 * machine a thread sometimes waits there for microseconds. An error thrown at that point
 * would lose the work of the thread.
 */
public final class NoBlocking implements TestExecutionListener {

	/**
	 * Prefix of Redisson's own threads, which the lab uses for comparison. BlockHound
	 * takes its workers for event loops, although they may wait. The site's own locks use
	 * other threads.
	 */
	private static final String REDISSON = "redisson-";

	private static final Set<String> LOCKS = Set.of(ReentrantLock.class.getName(), StampedLock.class.getName());

	/** Most stack frames between a lock and the blocking call below it. */
	private static final int FRAMES = 12;

	@Override
	public void testPlanExecutionStarted(TestPlan plan) {
		BlockHound.builder()
			.loadIntegrations()
			// Each TLS connection reads random numbers of the system, which never blocks.
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

	/** Caffeine and Lettuce spin before they take a lock. */
	private static boolean isSpinning(BlockingMethod method) {
		return method.getName().equals("onSpinWait");
	}

	private static boolean isAtALock(Stream<StackFrame> frames) {
		return frames.limit(FRAMES)
			.anyMatch((frame) -> LOCKS.contains(frame.getClassName())
					&& frame.getMethodName().matches("lock|tryLock|readLock|writeLock"));
	}

}
