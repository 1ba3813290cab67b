package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The site in containers, as {@code docker-compose.yml} describes it. It has its own name
 * and its own ports. The output of the containers is in {@code target/compose-….log}
 * afterwards.
 */
public final class ComposeSite implements AutoCloseable {

	static final String REDIS_IMAGE = "redis:7-alpine";

	/** Password of the users in {@code .env.example}. */
	public static final String ADMIN = "admin";

	public static final String ADMIN_PASSWORD = "tests0admin";

	private static final List<String> SERVICES = List.of("app", "redis", "archive", "lock-1", "lock-2", "lock-3",
			"lock-4", "lock-5", "nginx", "prometheus");

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private final List<String> program = Docker.compose();

	private final Map<String, String> environment = new HashMap<>();

	private final String name;

	private final int port = TestPorts.next();

	private final int redisPort = TestPorts.next();

	private final int metricsPort = TestPorts.next();

	private ComposeSite(Map<String, String> settings, List<String> overrides) {
		this.name = "retwis-" + ProcessHandle.current().pid() + "-" + this.port;
		this.environment.putAll(Map.of("COMPOSE_PROJECT_NAME", this.name, "COMPOSE_FILE",
				String.join(":",
						Stream
							.of(Stream.of("docker-compose.yml"), overrides.stream(),
									Stream.of("app/src/test/resources/compose/tests.yml"))
							.flatMap((file) -> file)
							.toList()),
				"REDIS_PASSWORD", "tests0data", "LOCKS_PASSWORD", "tests0locks", "REDIS_ADMIN_PASSWORD", ADMIN_PASSWORD,
				"ARCHIVE_PASSWORD", "tests0archive"));
		this.environment.putAll(Map.of("PORT", Integer.toString(this.port), "REDIS_PORT",
				Integer.toString(this.redisPort), "PROMETHEUS_PORT", Integer.toString(this.metricsPort), "FRONT",
				"10.84." + this.port % 256 + ".0/24", "LIMITS", "false"));
		this.environment.putAll(settings);
	}

	/**
	 * Builds the site's image, starts all containers and waits until they are healthy.
	 * @param instances number of instances
	 * @param overrides files that are added to the configuration, relative to the root of
	 * the project
	 */
	public static ComposeSite up(int instances, String... overrides) {
		return up(instances, Map.of(), overrides);
	}

	/** Starts the site with additional lines in {@code .env}. */
	static ComposeSite up(int instances, Map<String, String> settings, String... overrides) {
		ComposeSite site = new ComposeSite(settings, List.of(overrides));
		try {
			site.compose("up", "--detach", "--build", "--scale", "app=" + instances);
			site.awaitWell();
			return site;
		}
		catch (RuntimeException | AssertionError ex) {
			site.close();
			throw ex;
		}
	}

	/** Skips the test if no engine answers, unless an engine is required. */
	public static void assumeDocker() {
		Docker.assumeAnswers();
	}

	/**
	 * Changes the number of instances, as an operator does. Other containers are not
	 * touched.
	 */
	public void scale(int instances) {
		compose("up", "--detach", "--no-deps", "--no-recreate", "--scale", "app=" + instances, "app");
		awaitWell();
	}

	/** Runs a script of {@code src/ops/compose}, as an operator does. */
	public String script(String script, String... arguments) {
		List<String> command = new ArrayList<>(List.of("sh", "app/src/ops/compose/" + script));
		command.addAll(List.of(arguments));
		return Docker.run(ROOT, this.environment, command).successful();
	}

	/** Runs the doctor in a container of its own, and returns what it prints. */
	public String doctor(String... options) {
		List<String> arguments = new ArrayList<>(List.of("run", "--rm", "-T", "app", "doctor"));
		arguments.addAll(List.of(options));
		return compose(arguments.toArray(String[]::new));
	}

	/** Waits until all containers are healthy and the site answers through nginx. */
	public void awaitWell() {
		Awaitility.await("all parts of " + this.name)
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(500))
			.ignoreExceptionsInstanceOf(UncheckedIOException.class)
			.untilAsserted(() -> {
				assertThat(SERVICES)
					.allSatisfy((service) -> assertThat(parts(service)).allMatch(ComposeService::isHealthy));
				assertThat(Visitor.at(origin()).get("/timeline").status()).isIn(200, 308);
			});
	}

	/**
	 * Sends a command to a Redis of the site as the administrator, and returns the
	 * answer.
	 */
	public String redis(String service, String... command) {
		List<String> all = new ArrayList<>(
				List.of("env", "REDISCLI_AUTH=" + ADMIN_PASSWORD, "redis-cli", "--user", ADMIN));
		all.addAll(List.of(command));
		return part(service).run(all.toArray(String[]::new));
	}

	/** The containers of a service. */
	public List<ComposeService> parts(String service) {
		return Docker
			.docker("ps", "--all", "--quiet", "--no-trunc", "--filter", "label=com.docker.compose.project=" + this.name,
					"--filter", "label=com.docker.compose.service=" + service)
			.lines()
			.map(ComposeService::new)
			.toList();
	}

	/** The only container of a service. */
	public ComposeService part(String service) {
		return parts(service).get(0);
	}

	/** The address of the site, through nginx. */
	public String origin() {
		return "http://127.0.0.1:" + this.port;
	}

	/** The address of Prometheus. */
	public String metrics() {
		return "http://127.0.0.1:" + this.metricsPort;
	}

	/** The port of the data Redis on this machine. */
	public int redisPort() {
		return this.redisPort;
	}

	private String compose(String... arguments) {
		List<String> command = new ArrayList<>(this.program);
		command.addAll(List.of(arguments));
		return Docker.run(ROOT, this.environment, command).successful();
	}

	@Override
	public void close() {
		try {
			Files.writeString(Path.of("target", "compose-" + this.port + ".log"), compose("logs", "--no-color"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			compose("down", "--volumes", "--timeout", "1");
		}
	}

}
