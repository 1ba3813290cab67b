package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;

import live.retwis.Instance;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * An instance of the site on a real Redis, on ports of its own.
 */
public final class Site implements AutoCloseable {

	private static @Nullable Site shared;

	private final ConfigurableApplicationContext context;

	private Site(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * The instance that ordinary tests share for as long as the JVM runs. Nobody empties
	 * its Redis: tests use users of their own.
	 */
	public static synchronized Site shared() {
		if (shared == null) {
			shared = start(RedisExtension.shared());
		}
		return shared;
	}

	/** An instance of the test's own. */
	public static Site start(TestRedis redis, String... settings) {
		List<String> all = new ArrayList<>(List.of("--server.port=0", "--management.server.port=0",
				"--retwis.embedded=false", "--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port(), "--retwis.limits.enabled=false"));
		all.addAll(List.of(settings));
		return new Site(Instance.serve(all.toArray(String[]::new)));
	}

	/** An instance that was started otherwise. */
	public static Site of(ConfigurableApplicationContext context) {
		return new Site(context);
	}

	/** Address of a path of the site. */
	public String url(String path) {
		return "http://127.0.0.1:" + port() + path;
	}

	public int port() {
		return property("local.server.port");
	}

	public int managementPort() {
		return property("local.management.port");
	}

	private int property(String name) {
		return this.context.getEnvironment().getRequiredProperty(name, Integer.class);
	}

	/** A part of the instance. */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** Stops it as SIGTERM would. */
	@Override
	public void close() {
		this.context.close();
	}

}
