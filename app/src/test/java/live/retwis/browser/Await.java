package live.retwis.browser;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits until a tab shows something, no longer than a limit, and says what it showed
 * instead if it never did.
 */
final class Await {

	private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

	private final Tab tab;

	private final Duration limit;

	Await(Tab tab, Duration limit) {
		this.tab = tab;
		this.limit = limit;
	}

	/**
	 * Until one of the elements shows the text, maybe among other text.
	 */
	void text(String css, String part) {
		that("\"" + part + "\" in " + css, (tab) -> tab.texts(css).stream().anyMatch((text) -> text.contains(part)));
	}

	/**
	 * Until none of the elements shows the text; none at all is fine.
	 */
	void noText(String css, String part) {
		that("no \"" + part + "\" in " + css,
				(tab) -> tab.texts(css).stream().noneMatch((text) -> text.contains(part)));
	}

	/**
	 * Until so many elements match.
	 */
	void count(String css, int count) {
		that(count + " × " + css, (tab) -> tab.count(css) == count);
	}

	/**
	 * Until the address contains the part.
	 */
	void url(String part) {
		that("an address with " + part, (tab) -> tab.url().contains(part));
	}

	/**
	 * Until the condition holds. It may act too, such as reload the page and look again.
	 * @param what is awaited; its text is asked for when it failed to come
	 * @param condition to try again and again
	 */
	void that(Object what, Predicate<Tab> condition) {
		value(what, () -> condition.test(this.tab), Boolean::booleanValue);
	}

	<T> T value(Object what, Callable<T> value, Predicate<T> condition) {
		try {
			// Not cut short: on a busy machine what is said of a wait in vain would be
			// what was before the first look.
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
