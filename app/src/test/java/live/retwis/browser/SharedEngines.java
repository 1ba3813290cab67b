package live.retwis.browser;

import java.util.EnumMap;
import java.util.Map;

/**
 * The browsers that tests share, each started with the first test that needs it and kept
 * for as long as the JVM runs: JUnit's own stores last no longer than one class where
 * classes are handed out to several JVMs.
 */
final class SharedEngines {

	/** Guarded by itself. */
	private static final Map<BrowserKind, BrowserEngine> ENGINES = new EnumMap<>(BrowserKind.class);

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(SharedEngines::close, "browsers-end"));
	}

	private SharedEngines() {
	}

	/** Another one if a test was too much for the first. */
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
