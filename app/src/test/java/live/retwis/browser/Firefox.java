package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Starts Firefox, which implements the protocol itself.
 */
final class Firefox {

	private static final Pattern LISTENING = Pattern.compile("WebDriver BiDi listening on (ws://\\S+)");

	/**
	 * Added to the preferences that Firefox sets when it is remote-controlled. Firefox
	 * sends nothing by itself, and no animation, scroll bar or caret makes two
	 * screenshots of a page differ.
	 */
	private static final String PREFERENCES = """
			user_pref("app.normandy.enabled", false);
			user_pref("app.update.disabledForTesting", true);
			user_pref("browser.aboutwelcome.enabled", false);
			user_pref("browser.safebrowsing.malware.enabled", false);
			user_pref("browser.safebrowsing.phishing.enabled", false);
			user_pref("browser.shell.checkDefaultBrowser", false);
			user_pref("browser.startup.page", 0);
			user_pref("browser.tabs.firefox-view", false);
			user_pref("datareporting.policy.dataSubmissionEnabled", false);
			user_pref("datareporting.usage.uploadEnabled", false);
			user_pref("dom.push.connection.enabled", false);
			user_pref("extensions.getAddons.cache.enabled", false);
			user_pref("extensions.systemAddon.update.enabled", false);
			user_pref("network.captive-portal-service.enabled", false);
			user_pref("network.connectivity-service.enabled", false);
			user_pref("network.dns.disablePrefetch", true);
			user_pref("network.proxy.type", 0);
			user_pref("network.trr.mode", 5);
			user_pref("services.settings.server", "data:,none");
			user_pref("toolkit.telemetry.enabled", false);
			user_pref("ui.caretBlinkTime", 0);
			user_pref("ui.prefersReducedMotion", 1);
			user_pref("ui.useOverlayScrollbars", 1);
			""";

	private Firefox() {
	}

	static BrowserEngine start(Path browser) {
		Path folder = BrowserProcess.newFolder();
		try {
			Files.writeString(Files.createDirectory(folder.resolve("profile")).resolve("user.js"), PREFERENCES);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		BrowserProcess process = BrowserProcess.start(folder,
				List.of(browser.toString(), "--headless", "--no-remote", "--profile",
						folder.resolve("profile").toString(), "--remote-debugging-port", "0",
						"--remote-allow-system-access"));
		return BrowserEngine.connect(process, () -> URI.create(process.awaitLine(LISTENING) + "/session"), Map.of());
	}

}
