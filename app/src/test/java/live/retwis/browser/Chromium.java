package live.retwis.browser;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.TestPorts;

/**
 * Starts Chromium through its driver. The driver translates the protocol and starts the
 * browser when a session is opened.
 */
final class Chromium {

	private static final Pattern LISTENING = Pattern.compile("started successfully on port (\\d+)");

	/**
	 * Without a display, without a sandbox (root and containers have none) and without
	 * traffic of its own. Windows in the background are not slowed down. A page has the
	 * width that was asked for, with or without a scroll bar. Animations are off, because
	 * without a graphics card each tab would be drawn sixty times per second.
	 */
	private static final List<String> FLAGS = List.of("--headless", "--no-sandbox", "--disable-gpu",
			"--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--no-proxy-server",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-breakpad",
			"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
			"--disable-renderer-backgrounding", "--hide-scrollbars", "--force-prefers-reduced-motion");

	private Chromium() {
	}

	static BrowserEngine start(Path browser, Path driver) {
		Path folder = BrowserProcess.newFolder();
		// With port 0 the driver takes a port that is free in IPv6. It ends if another
		// program has it in IPv4.
		BrowserProcess process = BrowserProcess.start(folder, List.of(driver.toString(), "--port=" + TestPorts.next()));
		List<String> arguments = new ArrayList<>(FLAGS);
		arguments.add("--user-data-dir=" + folder.resolve("profile"));
		return BrowserEngine.connect(process,
				() -> URI.create("ws://127.0.0.1:" + process.awaitLine(LISTENING) + "/session"), Map.of("alwaysMatch",
						Map.of("goog:chromeOptions", Map.of("binary", browser.toString(), "args", arguments))));
	}

}
