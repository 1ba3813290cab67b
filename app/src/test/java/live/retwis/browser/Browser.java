package live.retwis.browser;

import java.util.ArrayList;
import java.util.List;

/**
 * The tabs that one test opens in a shared browser. None of them knows of another's
 * cookies: two tabs are two users.
 */
final class Browser implements AutoCloseable {

	private final BidiConnection connection;

	private final List<Tab> tabs = new ArrayList<>();

	Browser(BidiConnection connection) {
		this.connection = connection;
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
