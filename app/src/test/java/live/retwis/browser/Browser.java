package live.retwis.browser;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.proxy.ProxyFault;

/**
 * The tabs that one test opens in a shared browser. None of them knows of another's
 * cookies: two tabs are two users.
 */
final class Browser implements AutoCloseable {

	private final BidiConnection connection;

	private final List<Tab> tabs = new ArrayList<>();

	private final BrowserProcess process;

	Browser(BidiConnection connection, BrowserProcess process) {
		this.connection = connection;
		this.process = process;
	}

	/**
	 * Stops it in its tracks, as a machine that sleeps does, until the fault is closed.
	 * Nothing may be asked of it meanwhile.
	 */
	ProxyFault sleep() {
		return this.process.sleep();
	}

	/**
	 * A tab for a desktop user.
	 */
	Tab newTab() {
		return newTab(TabOptions.desktop());
	}

	Tab newTab(TabOptions options) {
		Tab tab = Tab.in(this.connection, options);
		this.tabs.add(tab);
		return tab;
	}

	/**
	 * Those that are open, for pictures of a failure.
	 */
	List<Tab> tabs() {
		return this.tabs.stream().filter(Tab::isOpen).toList();
	}

	@Override
	public void close() {
		this.tabs.forEach(Tab::close);
	}

}
