package live.retwis.browser;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.proxy.FaultHandle;

/**
 * The tabs that one test opens in a shared browser. Tabs do not share cookies, so two
 * tabs are two users.
 */
final class Browser implements AutoCloseable {

	private final BidiConnection connection;

	private final List<Tab> tabs = new ArrayList<>();

	private final BrowserProcess process;

	private boolean scriptErrorsAllowed;

	Browser(BidiConnection connection, BrowserProcess process) {
		this.connection = connection;
		this.process = process;
	}

	/**
	 * Stops the browser, as when its computer sleeps, until the fault is closed. The
	 * browser must not be used meanwhile.
	 */
	FaultHandle sleep() {
		return this.process.sleep();
	}

	/** A tab of a desktop user. */
	Tab newTab() {
		return newTab(TabOptions.desktop());
	}

	Tab newTab(TabOptions options) {
		Tab tab = Tab.in(this.connection, options);
		this.tabs.add(tab);
		return tab;
	}

	/** Pages of this test may have errors of scripts, because the test causes them. */
	void allowScriptErrors() {
		this.scriptErrorsAllowed = true;
	}

	/**
	 * Errors of scripts that no test has allowed, of all windows and tabs of this test.
	 */
	List<String> scriptErrors() {
		return this.scriptErrorsAllowed ? List.of() : this.tabs.stream().flatMap(Tab::scriptErrors).toList();
	}

	/** The open tabs, for screenshots of a failure. */
	List<Tab> tabs() {
		return this.tabs.stream().filter(Tab::isOpen).toList();
	}

	@Override
	public void close() {
		this.tabs.forEach(Tab::close);
	}

}
