package live.retwis.browser;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * Applies the {@link TabOptions} to a tab for as long as it is open.
 * <p>
 * The protocol has commands for this, but Firefox does not have all of them: the colour
 * scheme comes with version 159, and switching scripts off is missing. Until then the
 * same switches are set in Firefox's own window around the page, which needs {@code
 * --remote-allow-system-access}. Preferences would apply to the whole process, and
 * another Firefox takes five seconds to start.
 */
final class Emulation {

	private static final String BLANK = "about:blank#";

	private static final String IN_FIREFOX = """
			(blank, name, value) => {
				for (const window of Services.wm.getEnumerator("navigator:browser")) {
					for (const browser of window.gBrowser.browsers) {
						if (browser.currentURI.spec === blank) {
							const apply = () => { browser.browsingContext[name] = value; };
							apply();
							window.gBrowser.addTabsProgressListener({ onLocationChange: (one) => one === browser && apply() });
							return;
						}
					}
				}
				throw new Error("No tab shows " + blank);
			}""";

	private final BidiConnection connection;

	private final String context;

	private String scheme = "light";

	Emulation(BidiConnection connection, String context) {
		this.connection = connection;
		this.context = context;
	}

	void apply(TabOptions options) {
		this.connection.send("browsingContext.setViewport", Map.of("context", this.context, "viewport",
				Map.of("width", options.width(), "height", options.height()), "devicePixelRatio", 1));
		this.scheme = options.dark() ? "dark" : "light";
		sendOrSetInFirefox("emulation.setMediaFeaturesOverride",
				Map.of("features", Map.of("prefers-color-scheme", this.scheme), "contexts", List.of(this.context)),
				"prefersColorSchemeOverride", this.scheme);
		if (!options.javaScript()) {
			sendOrSetInFirefox("emulation.setScriptingEnabled",
					Map.of("enabled", false, "contexts", List.of(this.context)), "allowJavascript", false);
		}
	}

	private void sendOrSetInFirefox(String method, Map<String, ?> parameters, String name, Object value) {
		try {
			this.connection.send(method, parameters);
		}
		catch (BidiException ex) {
			if (!ex.isUnknownCommand()) {
				throw ex;
			}
			setInFirefox(name, value);
		}
	}

	/**
	 * The window around the page does not know the protocol's names of tabs. So the tab
	 * opens an address that no other tab shows, and is found by it. A page with an opener
	 * policy of its own gets another context, so the value is set for each page.
	 */
	private void setInFirefox(String name, Object value) {
		String blank = BLANK + this.context;
		this.connection.send("browsingContext.navigate",
				Map.of("context", this.context, "url", blank, "wait", "complete"));
		JsonNode windows = this.connection.send("browsingContext.getTree", Map.of("moz:scope", "chrome"));
		String window = windows.path("contexts").path(0).path("context").asString();
		JsonNode answer = this.connection.send("script.callFunction",
				Map.of("functionDeclaration", IN_FIREFOX, "awaitPromise", false, "target", Map.of("context", window),
						"arguments", List.of(RemoteValues.of(blank), RemoteValues.of(name), RemoteValues.of(value))));
		ScriptException.throwIfIn(answer);
	}

	/**
	 * Lets the network of pages be a slow link from now on.
	 * @param roundTrip shortest time from a request to its answer
	 * @param bytesPerSecond what the link carries in each direction
	 */
	void throttle(Duration roundTrip, int bytesPerSecond) {
		sendToChromium("Network.emulateNetworkConditions", Map.of("offline", false, "latency", roundTrip.toMillis(),
				"downloadThroughput", bytesPerSecond, "uploadThroughput", bytesPerSecond));
	}

	/**
	 * Shows pages on another medium.
	 * @param medium {@code print}, or empty for a screen
	 * @param forcedColours {@code active} or {@code none}
	 */
	void media(String medium, String forcedColours) {
		sendToChromium("Emulation.setEmulatedMedia",
				Map.of("media", medium, "features",
						List.of(Map.of("name", "prefers-color-scheme", "value", this.scheme),
								Map.of("name", "forced-colors", "value", forcedColours))));
	}

	/**
	 * Sets the size of letters that the browser starts from.
	 * @param pixels the size, which is 16 at first
	 */
	void lettersOf(int pixels) {
		sendToChromium("Page.setFontSizes", Map.of("fontSizes", Map.of("standard", pixels)));
	}

	private void sendToChromium(String method, Map<String, ?> parameters) {
		JsonNode session = this.connection.send("goog:cdp.getSession", Map.of("context", this.context));
		this.connection.send("goog:cdp.sendCommand",
				Map.of("session", session.path("session").asString(), "method", method, "params", parameters));
	}

}
