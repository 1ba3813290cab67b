package live.retwis.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.ApplicationLauncher;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/** An instance of the site on a real Redis, with its own ports. */
public final class Site implements AutoCloseable {

	/**
	 * Makes password hashing fast. Tests register hundreds of users, whose passwords need
	 * no protection.
	 */
	static final String QUICK_PASSWORDS = "--retwis.passwords.cost=4";

	private static final Logger log = LoggerFactory.getLogger(Site.class);

	private static final String ARCHIVE = "--retwis.archive.url=";

	private static @Nullable Site shared;

	private static @Nullable Site limited;

	/** Instances that were started here and are not closed, by their origin. */
	private static final Map<String, Site> OPEN = new ConcurrentHashMap<>();

	/** An instance may be one that a test keeps from hearing anything. */
	private static final Duration LONGEST_TO_HEAR = Duration.ofSeconds(1);

	private final ConfigurableApplicationContext context;

	private @Nullable DataConnection data;

	private Site(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * The instance that ordinary tests share while the JVM runs. No test may empty its
	 * Redis, and each test uses its own users.
	 */
	public static synchronized Site shared() {
		if (shared == null) {
			shared = another();
		}
		return shared;
	}

	/**
	 * The shared instance with rate limits. Each test uses its own users, and its own
	 * addresses: {@link Visitor#from}. The numbers are those of a minute by default, but
	 * of an hour: so nothing more is allowed while a slow test runs.
	 */
	public static synchronized Site limited() {
		if (limited == null) {
			limited = another("--retwis.limits.enabled=true", "--retwis.limits.timeout=20s",
					"--retwis.limits.posts=10/1h", "--retwis.limits.address-posts=15/1h",
					"--retwis.limits.address-reads=80/1h", "--retwis.limits.address-writes=50/1h",
					"--retwis.limits.address-reports=3/1h", "--retwis.limits.address-work=15/1h",
					"--retwis.limits.address-profiles=12/1h", "--retwis.limits.streams=20/1h",
					"--retwis.limits.follows=30/1h", "--retwis.limits.profile=10/1h", "--retwis.limits.likes=2/1h",
					"--retwis.limits.reactions=3/1h", "--retwis.limits.searches=60/1h",
					"--retwis.limits.older-pages=60/1h", "--retwis.limits.registrations=5/1h",
					"--retwis.limits.logins=20/1h", "--retwis.limits.wrong-passwords=5/1h",
					"--retwis.limits.wrong-passwords-by-address=3/1h", "--retwis.proxies=127.0.0.1,10.0.0.0/8",
					"--retwis.origins=https://www.example.com", "--retwis.security-contact=mailto:security@example.com",
					"--retwis.management-hosts=balancer");
		}
		return limited;
	}

	/** Another instance that uses the data of the shared one. */
	public static Site another(String... settings) {
		return startOn(SharedData.settings(), settings);
	}

	/** An instance that belongs to the test. */
	public static Site start(TestRedis redis, String... settings) {
		return startOn(SharedData.settings(redis), settings);
	}

	/** An instance that reaches Redis at this address, for example through a proxy. */
	public static Site startAt(String host, int port, String... settings) {
		return startOn(SharedData.settings(host, port), settings);
	}

	/**
	 * An instance that belongs to the test.
	 * @param data settings that say where its data is
	 */
	public static Site startOn(List<String> data, String... settings) {
		List<String> all = new ArrayList<>(
				List.of("--server.port=0", "--management.server.port=0", "--retwis.embedded=false"));
		all.addAll(data);
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.live.drain="))) {
			all.add("--retwis.live.drain=0s");
		}
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.passwords.cost="))) {
			all.add(QUICK_PASSWORDS);
		}
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.limits.enabled="))) {
			all.add("--retwis.limits.enabled=false");
		}
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.locks.nodes="))) {
			all.add(LockServers.shared().setting());
		}
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.locks.node-timeout="))) {
			// On a busy machine a lock node that is well may need longer than usual.
			all.add("--retwis.locks.node-timeout=1s");
		}
		all.addAll(List.of(settings));
		Site started = new Site(ApplicationLauncher.serve(all.toArray(String[]::new)));
		OPEN.put(started.url(""), started);
		Stream.of(settings)
			.filter((setting) -> setting.startsWith(ARCHIVE))
			.forEach((setting) -> log.info("{} has its old posts in {}", started.url(""),
					setting.substring(ARCHIVE.length())));
		return started;
	}

	/** Wraps an instance that was started in another way. */
	public static Site of(ConfigurableApplicationContext context) {
		return new Site(context);
	}

	/** The open instance with this origin, if it was started here. */
	static Optional<Site> at(String origin) {
		return Optional.ofNullable(OPEN.get(origin));
	}

	/**
	 * Waits until the instance has heard of all that is in the log, because its pages
	 * show what it has heard. It goes on after a second in any case.
	 */
	void awaitHeard() {
		InstanceLogPosition heard = bean(InstanceLogPosition.class);
		Mono<LogPosition> newest = bean(ReactiveStringRedisTemplate.class).opsForStream()
			.reverseRange(Keys.LOG, Range.unbounded(), Limit.limit().count(1))
			.next()
			.map((entry) -> LogPosition.of(entry.getId().getValue(), ""));
		Boolean hasHeard = newest
			.flatMap((entry) -> Mono.defer(heard::position)
				.filter((known) -> known.compareTo(entry) >= 0)
				.repeatWhenEmpty((tries) -> tries.delayElements(Duration.ofMillis(2))))
			.hasElement()
			.timeout(LONGEST_TO_HEAR)
			.onErrorReturn(false)
			.block();
		if (!Boolean.TRUE.equals(hasHeard)) {
			log.info("{} has not heard of a post", url(""));
		}
	}

	/** The address of a path of the site. */
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

	/** A bean of the instance. */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** All beans of a type, in the order in which Spring passes them on. */
	public <T> List<T> beans(Class<T> type) {
		return this.context.getBeanProvider(type).orderedStream().toList();
	}

	/** Commands on the stored data, on a separate connection of the test. */
	public RedisClusterCommands<String, String> redis() {
		return data().commands();
	}

	private synchronized DataConnection data() {
		if (this.data == null) {
			this.data = DataConnection.asOf(this.context.getEnvironment());
		}
		return this.data;
	}

	/** All keys that match the pattern, on all masters. */
	public List<String> keys(String pattern) {
		return ScanIterator.scan(redis(), ScanArgs.Builder.matches(pattern).limit(1000)).stream().distinct().toList();
	}

	/** Stops the instance, as SIGTERM would. */
	@Override
	public synchronized void close() {
		OPEN.values().remove(this);
		this.context.close();
		if (this.data != null) {
			this.data.close();
		}
	}

}
