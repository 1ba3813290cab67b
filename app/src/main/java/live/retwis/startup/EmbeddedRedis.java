package live.retwis.startup;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import live.retwis.locks.nodes.EmbeddedNodes;
import live.retwis.locks.nodes.RedisStartException;

import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts Redis nodes for users who have no Redis of their own. Controlled by
 * {@code retwis.embedded}.
 */
public final class EmbeddedRedis {

	private static final String MODE = "retwis.embedded";

	private static final String LOCK_NODES = "retwis.locks.nodes";

	/** Any of these settings names the data node. */
	private static final List<String> DATA_NODE = List.of("spring.data.redis.url", "spring.data.redis.host",
			"spring.data.redis.port", "spring.data.redis.sentinel.master", "spring.data.redis.cluster.nodes");

	/**
	 * Defaults with embedded nodes. Such a site has no load balancer that has to notice a
	 * shutdown first. It also has no other users whom the lab and the experiments of the
	 * chapters could disturb, and whoever uses it may see how it works.
	 */
	private static final Map<String, Object> DEFAULTS = Map.of("retwis.live.drain", "0s", "retwis.lab.enabled", true,
			"retwis.learn.enabled", true, "retwis.xray.enabled", true, "retwis.xray.users", "*");

	private EmbeddedRedis() {
	}

	/**
	 * Starts or joins the nodes unless the settings name others, and puts their addresses
	 * into the settings.
	 * @throws StartupException when the settings contradict each other, or no node can be
	 * started
	 */
	public static void startIfWanted(ConfigurableEnvironment environment) {
		use(environment, () -> EmbeddedNodes.join(Path.of("").toAbsolutePath()));
	}

	/**
	 * Joins the nodes unless the settings name others, and puts their addresses into the
	 * settings. It is for commands that work on data that is there: new nodes would be
	 * empty, and such a command would say that all is well.
	 * @throws StartupException when the settings contradict each other, or no node runs
	 */
	public static void joinIfWanted(ConfigurableEnvironment environment) {
		use(environment, () -> EmbeddedNodes.joinRunning()
			.orElseThrow(() -> new StartupException(
					"The site does not run: no embedded Redis nodes run on this machine, and no setting names others.",
					"Start the site, then give this command again. If the site has Redis servers of its own, give "
							+ "the command the settings of the instances: spring.data.redis.* and " + LOCK_NODES
							+ ", or SPRING_DATA_REDIS_HOST and RETWIS_LOCKS_NODES in the environment.")));
	}

	private static void use(ConfigurableEnvironment environment, Supplier<EmbeddedNodes> running) {
		if (isWanted(environment)) {
			EmbeddedNodes nodes = join(running);
			SpringApplication.getShutdownHandlers().add(nodes::close);
			Map<String, Object> defaults = new HashMap<>(DEFAULTS);
			defaults.put("retwis.archive.url", EmbeddedArchiveUrl.in(nodes.dataDirectory()));
			environment.getPropertySources().addLast(new MapPropertySource("embeddedDefaults", defaults));
			environment.getPropertySources()
				.addFirst(new MapPropertySource("embeddedRedis", Map.of("spring.data.redis.host", "127.0.0.1",
						"spring.data.redis.port", nodes.dataPort(), LOCK_NODES, String.join(",", nodes.lockNodes()))));
		}
	}

	private static boolean isWanted(ConfigurableEnvironment environment) {
		String mode = environment.getProperty(MODE, "auto");
		Optional<String> data = DATA_NODE.stream().filter(environment::containsProperty).findFirst();
		boolean locks = environment.containsProperty(LOCK_NODES);
		return switch (mode) {
			case "false" -> false;
			case "true" -> {
				if (data.isPresent() || locks) {
					throw new StartupException(
							MODE + "=true starts Redis nodes, but " + data.orElse(LOCK_NODES) + " names others.",
							"Remove one of the two settings.");
				}
				yield true;
			}
			case "auto" -> {
				if (data.isPresent() != locks) {
					throw new StartupException(
							data.map((set) -> set + " is set, but " + LOCK_NODES + " is not.")
								.orElse(LOCK_NODES + " is set, but spring.data.redis.* is not."),
							data.isPresent() ? "Set " + LOCK_NODES + " to an odd number of independent Redis servers, "
									+ "for example redis://10.0.0.1:6379,redis://10.0.0.2:6379,redis://10.0.0.3:6379, "
									+ "or remove " + data.get() + " to run on embedded nodes."
									: "Set spring.data.redis.host and spring.data.redis.port to the data node, or remove "
											+ LOCK_NODES + " to run on embedded nodes.");
				}
				yield !locks;
			}
			default ->
				throw new StartupException(MODE + "=" + mode + " is not known.", "Set it to auto, true or false.");
		};
	}

	private static EmbeddedNodes join(Supplier<EmbeddedNodes> running) {
		try {
			return running.get();
		}
		catch (RedisStartException ex) {
			throw new StartupException("The embedded Redis nodes cannot be started: " + ex.getMessage(),
					"Do what the description says, or run on Redis servers of your own: set spring.data.redis.* and "
							+ LOCK_NODES + ".",
					ex);
		}
	}

}
