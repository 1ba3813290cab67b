package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.Instance;
import live.retwis.locks.FenceRegister;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockSettings;
import live.retwis.locks.RedLock;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A site with a doctor who need not wait long, and with locks of the test's own.
 */
final class Examined implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final Site site;

	private @Nullable RedLock locks;

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
		all.addAll(List.of(settings));
		return new Examined(Instance.serve(all.toArray(String[]::new)));
	}

	/** With locks that claim the fences in its store. */
	Examined withLocks(LockServers servers) {
		DataNode data = bean(DataNode.class);
		return withLocks(servers, (lease) -> data.call((c) -> c.set(Keys.fence(lease.resource()), lease.owner(),
				SetArgs.Builder.px(Math.max(1, lease.remaining().toMillis()))))
			.then());
	}

	/** With locks that claim fences elsewhere. */
	Examined withLocks(LockServers servers, FenceRegister fence) {
		RedLock locks = RedLock.open(LockSettings.of(servers.addresses()), fence, LockListener.NONE);
		this.context.getBeanFactory().registerSingleton("testLocks", locks);
		this.locks = locks;
		locks.ready().block();
		return this;
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
		if (this.locks != null) {
			this.locks.close().block();
		}
	}

}
