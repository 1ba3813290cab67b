package live.retwis.browser;

import java.util.EnumMap;
import java.util.Map;

/**
 * The browsers that tests share. A browser starts with the first test that needs it, and
 * runs until the JVM ends. JUnit's own stores cannot keep it, because they end with a
 * test class when several JVMs share the classes.
 */
final class SharedEngines {

	/** Guarded by itself. */
	private static final Map<BrowserKind, BrowserEngine> ENGINES = new EnumMap<>(BrowserKind.class);

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(SharedEngines::close, "browsers-end"));
	}

	private SharedEngines() {
	}

	/** The running browser. Starts a new one if a test has crashed the last one. */
	static BrowserEngine of(BrowserKind kind) {
		synchronized (ENGINES) {
			BrowserEngine engine = ENGINES.get(kind);
			if (engine != null && !engine.isOpen()) {
				engine.close();
				ENGINES.remove(kind);
			}
			return ENGINES.computeIfAbsent(kind, BrowserKind::start);
		}
	}

	private static void close() {
		synchronized (ENGINES) {
			ENGINES.values().forEach(BrowserEngine::close);
		}
	}

}
