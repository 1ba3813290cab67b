package live.retwis.logging;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Adds the name of the instance to each line of a structured log, because the logs of all
 * instances are usually collected in one place. It runs before logging starts, so that
 * the first line has the name too.
 */
class InstanceInLog implements EnvironmentPostProcessor {

	/** Adds the name as a member in every log format. */
	private static final String MEMBER = "logging.structured.json.add.instance";

	/** The standard field for the name in the Elastic Common Schema. */
	private static final String NODE = "logging.structured.ecs.service.node-name";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		String name = name(environment, application);
		environment.getPropertySources()
			.addLast(new MapPropertySource("instanceInLog", Map.of(MEMBER, name, NODE, name)));
	}

	private static String name(ConfigurableEnvironment environment, SpringApplication application) {
		String given = environment.getProperty("retwis.instance", "");
		boolean serves = application.getWebApplicationType() != WebApplicationType.NONE;
		int port = serves ? environment.getProperty("server.port", Integer.class, 8080) : 0;
		return given.isBlank() ? InstanceName.at(port) : given;
	}

}
