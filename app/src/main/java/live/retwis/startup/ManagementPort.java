package live.retwis.startup;

import java.util.Map;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Chooses the port for operations: the server's port plus 10,000, or minus 10,000 if that
 * is too high. So several instances on one machine need only a server port each.
 */
public final class ManagementPort {

	private static final String PROPERTY = "management.server.port";

	private static final int APART = 10_000;

	private static final int HIGHEST = 65_535;

	private ManagementPort() {
	}

	/**
	 * Chooses the port unless it is set. If the server's port is random, this one is
	 * random too.
	 */
	public static void choose(ConfigurableEnvironment environment) {
		if (!environment.containsProperty(PROPERTY)) {
			int server = environment.getProperty("server.port", Integer.class, 8080);
			environment.getPropertySources()
				.addLast(new MapPropertySource("managementPort", Map.of(PROPERTY, beside(server))));
		}
	}

	static int beside(int server) {
		if (server <= 0) {
			return server;
		}
		return (server + APART <= HIGHEST) ? server + APART : server - APART;
	}

}
