package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.Instance;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A site with a doctor who need not wait long, and with locks of the test's own.
 */
final class Examined implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final Site site;

	private Examined(ConfigurableApplicationContext context) {
		this.context = context;
		this.site = Site.of(context);
	}

	static Examined start(TestRedis redis, String... settings) {
		return startAt(redis.host(), redis.port(), settings);
	}

	static Examined startAt(String host, int port, String... settings) {
		List<String> all = new ArrayList<>(List.of("--server.port=0", "--management.server.port=0",
				"--retwis.embedded=false", "--spring.data.redis.host=" + host, "--spring.data.redis.port=" + port,
				"--retwis.limits.enabled=false"));
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.locks.lease="))) {
			all.add("--retwis.locks.lease=1s");
		}
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.locks.nodes="))) {
			all.add(LockServers.shared().setting());
		}
		all.addAll(List.of(settings));
		return new Examined(Instance.serve(all.toArray(String[]::new)));
	}

	Site site() {
		return this.site;
	}

	RedisCommands<String, String> redis() {
		return this.site.redis();
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** All lines of an examination. */
	List<String> examine() {
		return lines(false, false);
	}

	List<String> fix() {
		return lines(true, false);
	}

	List<String> waitAndExamine() {
		return lines(false, true);
	}

	private List<String> lines(boolean fix, boolean wait) {
		return Objects.requireNonNull(bean(Doctor.class).examine(fix, wait, (progress) -> {
		}).map(Doctor.Line::text).collectList().block());
	}

	/** What is suspicious about a key now. */
	List<Finding> look(String key) {
		return Objects.requireNonNull(bean(Examination.class).of(key).collectList().block());
	}

	@Override
	public void close() {
		this.site.close();
	}

}
