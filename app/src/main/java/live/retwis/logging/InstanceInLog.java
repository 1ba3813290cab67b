package live.retwis.logging;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Each line of a structured log names its instance, from the first one on: the lines of
 * all instances are kept together somewhere. So the name is told before the log begins.
 */
class InstanceInLog implements EnvironmentPostProcessor {

	/** In every format. */
	private static final String MEMBER = "logging.structured.json.add.instance";

	/** Where the Elastic Common Schema has a place for it. */
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
