package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs actions of several people at the same moment. */
public final class Simultaneous {

	private static final int SECONDS = 30;

	private Simultaneous() {
	}

	/**
	 * Runs an action several times at once, each on its own thread.
	 * @param deed the action, which gets its number
	 * @return the results, by number
	 */
	public static <T> List<T> times(int count, IntFunction<T> deed) {
		ExecutorService threads = Executors.newFixedThreadPool(count);
		CyclicBarrier start = new CyclicBarrier(count);
		try {
			List<Future<T>> deeds = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int number = i;
				deeds.add(threads.submit((Callable<T>) () -> {
					start.await(SECONDS, TimeUnit.SECONDS);
					return deed.apply(number);
				}));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> done : deeds) {
				results.add(done.get(SECONDS, TimeUnit.SECONDS));
			}
			return results;
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new AssertionError(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			threads.shutdownNow();
		}
	}

}
