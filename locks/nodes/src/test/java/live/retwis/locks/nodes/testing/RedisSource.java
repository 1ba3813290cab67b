package live.retwis.locks.nodes.testing;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * Starts the servers of this test run: containers if possible, else processes. The choice
 * is made and logged once.
 */
final class RedisSource {

	private static final Logger logger = LoggerFactory.getLogger(RedisSource.class);

	private static final RedisSource CHOSEN = choose();

	private final Function<List<String>, TestRedis> starter;

	private final String kind;

	private final String reason;

	private final AtomicBoolean said = new AtomicBoolean();

	private RedisSource(Function<List<String>, TestRedis> starter, String kind, String reason) {
		this.starter = starter;
		this.kind = kind;
		this.reason = reason;
	}

	/**
	 * Starts a new server with these lines of {@code redis.conf}. The caller closes it.
	 */
	static TestRedis start(String... directives) {
		TestRedis redis = CHOSEN.starter.apply(List.of(directives));
		if (CHOSEN.said.compareAndSet(false, true)) {
			logger.info("Redis for tests: {} {} ({})", CHOSEN.kind, redis, CHOSEN.reason);
		}
		return redis;
	}

	/**
	 * Tries one container. An engine alone is not enough: the images are needed, and a
	 * port that can be reached from here.
	 */
	private static RedisSource choose() {
		if (!DockerEngine.answers()) {
			return processes("no Docker engine answers");
		}
		try {
			if (!DockerClientFactory.instance().isDockerAvailable()) {
				return processes("the Docker engine does not do what it is asked");
			}
			ContainerRedis.start(List.of()).close();
			return new RedisSource(ContainerRedis::start, "containers", "a Docker engine answers");
		}
		catch (Exception ex) {
			return processes("no container of " + ContainerRedis.IMAGE + " starts: " + ex);
		}
	}

	/** Uses processes, unless {@code -Dretwis.docker=required} asks for containers. */
	private static RedisSource processes(String reason) {
		if ("required".equals(System.getProperty("retwis.docker"))) {
			throw new IllegalStateException("Containers are required, but " + reason);
		}
		return new RedisSource(ProcessRedis::start, "real redis-server processes", reason);
	}

}
