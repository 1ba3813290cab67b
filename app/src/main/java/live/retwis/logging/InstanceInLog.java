package live.retwis.logging;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives the instance a name if it has none, and adds it to each line of a structured log,
 * because the logs of all instances are usually collected in one place. It runs before
 * logging starts, so that the first line has the name too.
 */
class InstanceInLog implements EnvironmentPostProcessor {

	/** Adds the name as a member in every log format. */
	private static final String MEMBER = "logging.structured.json.add.instance";

	/** The standard field for the name in the Elastic Common Schema. */
	private static final String NODE = "logging.structured.ecs.service.node-name";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (environment.getProperty(InstanceName.PROPERTY, "").isBlank()) {
			environment.getPropertySources()
				.addFirst(new MapPropertySource("instanceName", Map.of(InstanceName.PROPERTY, InstanceName.random())));
		}
		String name = environment.getRequiredProperty(InstanceName.PROPERTY);
		environment.getPropertySources()
			.addLast(new MapPropertySource("instanceInLog", Map.of(MEMBER, name, NODE, name)));
	}

}
