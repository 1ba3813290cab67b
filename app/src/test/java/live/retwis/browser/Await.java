package live.retwis.browser;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits until a tab shows something, with a time limit. If it never does, the error says
 * what the tab showed instead.
 */
final class Await {

	private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

	private final Tab tab;

	private final Duration limit;

	Await(Tab tab, Duration limit) {
		this.tab = tab;
		this.limit = limit;
	}

	/** Waits until one of the elements shows the text, alone or among other text. */
	void text(String css, String part) {
		that("\"" + part + "\" in " + css, (tab) -> tab.texts(css).stream().anyMatch((text) -> text.contains(part)));
	}

	/**
	 * Waits until no element shows the text. It also succeeds when there is no such
	 * element.
	 */
	void noText(String css, String part) {
		that("no \"" + part + "\" in " + css,
				(tab) -> tab.texts(css).stream().noneMatch((text) -> text.contains(part)));
	}

	/** Waits until this many elements match. */
	void count(String css, int count) {
		that(count + " × " + css, (tab) -> tab.count(css) == count);
	}

	/** Waits until the address contains the part. */
	void url(String part) {
		that("an address with " + part, (tab) -> tab.url().contains(part));
	}

	/**
	 * Waits until the condition holds. The condition can also act, for example reload the
	 * page.
	 * @param what what is awaited, for the error message
	 * @param condition is tried again and again
	 */
	void that(Object what, Predicate<Tab> condition) {
		value(what, () -> condition.test(this.tab), Boolean::booleanValue);
	}

	<T> T value(Object what, Callable<T> value, Predicate<T> condition) {
		try {
			// A started check is not interrupted. On a busy machine the error would
			// otherwise describe the page
			// before the first check.
			return Awaitility.await()
				.pollInSameThread()
				.atMost(this.limit)
				.pollDelay(Duration.ZERO)
				.pollInterval(POLL_INTERVAL)
				.until(value, condition);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("Not within " + this.limit.toMillis() + " ms: " + what + "\n" + this.tab, ex);
		}
	}

}
