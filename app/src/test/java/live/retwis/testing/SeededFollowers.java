package live.retwis.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import live.retwis.redis.Keys;

/**
 * Many followers of one user, written directly to the store. Their accounts are complete,
 * so that the doctor finds nothing wrong with them.
 */
public final class SeededFollowers implements AutoCloseable {

	/** Users whose commands are sent with one flush. */
	private static final int BATCH = 500;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	/** Time of the first follow, in ms. Each further follow is one millisecond later. */
	private static final long SINCE = System.currentTimeMillis() - 3_600_000;

	private final AbstractRedisClient client;

	private final StatefulConnection<String, String> connection;

	private final RedisClusterAsyncCommands<String, String> commands;

	private final String followed;

	private final List<String> ids;

	private SeededFollowers(AbstractRedisClient client, StatefulConnection<String, String> connection,
			RedisClusterAsyncCommands<String, String> commands, String followed, int count) {
		this.client = client;
		this.connection = connection;
		this.commands = commands;
		this.followed = followed;
		String mark = followed.substring(followed.length() - 5);
		this.ids = IntStream.range(0, count).mapToObj((i) -> "0F%s%06d".formatted(mark, i)).toList();
	}

	/**
	 * Creates followers of a user.
	 * @param shard followers in a shard, the same as in the site's settings
	 */
	public static SeededFollowers plant(String host, int port, String followed, int count, int shard) {
		RedisClient client = RedisClient.create(RedisURI.create(host, port));
		StatefulRedisConnection<String, String> connection = client.connect();
		return new SeededFollowers(client, connection, connection.async(), followed, count).planted(shard);
	}

	/** The same on a cluster. */
	public static SeededFollowers plant(ClusterServers cluster, String followed, int count, int shard) {
		RedisClusterClient client = RedisClusterClient
			.create(cluster.nodes().stream().map((node) -> RedisURI.create(node.uri())).toList());
		StatefulRedisClusterConnection<String, String> connection = client.connect();
		return new SeededFollowers(client, connection, connection.async(), followed, count).planted(shard);
	}

	private SeededFollowers planted(int shard) {
		register();
		follow(shard);
		return this;
	}

	private void register() {
		batches((commands, i) -> {
			String id = this.ids.get(i);
			String name = "fan_" + id.toLowerCase(Locale.ROOT);
			String created = Long.toString(SINCE);
			return List.of(
					commands.hset("user:" + id,
							Map.of("username", name, "name", name, "password", "{noop}", "auth", "1", "state", "active",
									"created", created, "active", Long.toString(System.currentTimeMillis()))),
					commands.set("username:" + name, id), commands.zadd("names:f", 0, name + " " + id));
		});
	}

	private void follow(int shard) {
		String first = "followers:" + this.followed;
		batches((commands, i) -> List.of(commands.zadd("following:" + this.ids.get(i), SINCE + i, this.followed),
				commands.zadd((i < shard) ? first : "{" + first + "}:" + i / shard, SINCE + i, this.ids.get(i))));
		int last = (this.ids.size() - 1) / shard;
		if (last > 0) {
			batches((commands, i) -> (i == 0)
					? List.of(commands.hset("{" + first + "}:shards",
							Map.of("last", Integer.toString(last), "count", Integer.toString(this.ids.size()))))
					: (i % shard == 0) ? List.of(commands.hset("{" + first + "}:shards", Integer.toString(i / shard),
							Long.toString(SINCE + i))) : List.of());
		}
	}

	/** Gives each follower a home timeline that holds the post. */
	public void read(String post, long committed) {
		batches((commands, i) -> List.of(commands.zadd(Keys.homeTimeline(this.ids.get(i)), committed, post),
				commands.expire(Keys.homeTimeline(this.ids.get(i)), 86_400)));
	}

	/**
	 * Sets when the followers were last here.
	 * @param millis ms since the epoch
	 */
	public void visited(String millis) {
		batches((commands, i) -> List.of(commands.hset("user:" + this.ids.get(i), "active", millis)));
	}

	/** The followers whose home timeline has the post. */
	public List<String> have(String post) {
		return with(Keys::homeTimeline, post);
	}

	/** The followers who still follow the user. */
	public List<String> following() {
		return with(Keys::following, this.followed);
	}

	private List<String> with(UnaryOperator<String> list, String member) {
		List<RedisFuture<Double>> scores = new ArrayList<>();
		batches((commands, i) -> {
			RedisFuture<Double> score = commands.zscore(list.apply(this.ids.get(i)), member);
			scores.add(score);
			return List.of(score);
		});
		return IntStream.range(0, this.ids.size())
			.filter((i) -> scores.get(i).toCompletableFuture().join() != null)
			.mapToObj(this.ids::get)
			.toList();
	}

	/** Their user ids, in the order of their follows. */
	public List<String> ids() {
		return this.ids;
	}

	private void batches(Step step) {
		this.connection.setAutoFlushCommands(false);
		List<RedisFuture<?>> answers = new ArrayList<>();
		for (int i = 0; i < this.ids.size(); i++) {
			answers.addAll(step.commands(this.commands, i));
			if (i % BATCH == BATCH - 1 || i == this.ids.size() - 1) {
				this.connection.flushCommands();
				LettuceFutures.awaitAll(LIMIT.toMillis(), TimeUnit.MILLISECONDS,
						answers.toArray(RedisFuture<?>[]::new));
				answers.clear();
			}
		}
		this.connection.setAutoFlushCommands(true);
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

	private interface Step {

		List<RedisFuture<?>> commands(RedisClusterAsyncCommands<String, String> commands, int number);

	}

}
