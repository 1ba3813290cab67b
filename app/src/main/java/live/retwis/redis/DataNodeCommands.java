package live.retwis.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * The data node for pages: the few commands of which a page sends many. It is one
 * multiplexed connection, and commands that are zipped travel in one round trip. Spring
 * Data's template costs several times as much per command, which matters to pages alone.
 * So everything else uses the template.
 * <p>
 * A command is sent when its answer is subscribed to. Cancelling drops the answer. An
 * answer of nil is empty. {@link RedisErrorClassifier} understands the errors. The
 * methods that send at once are for the commands of each page, because a future costs
 * less than a chain of operators. They fail at once when there is no connection.
 */
@Component
public class DataNodeCommands extends MultiplexedConnection {

	DataNodeCommands(LettuceConnectionFactory factory) {
		super(factory);
	}

	/** GET. */
	public Mono<String> get(String key) {
		return CommandRecorderContext.fromFuture(() -> sendGet(key));
	}

	/** GET, sent at once. The answer is null when there is no such key. */
	public CompletableFuture<String> sendGet(String key) {
		return node().commands().get(key).toCompletableFuture();
	}

	/** HMGET: the values of the fields that exist, by name. */
	public Mono<Map<String, String>> hmget(String key, String... fields) {
		return CommandRecorderContext.fromFuture(() -> sendHmget(key, fields));
	}

	/** HMGET, sent at once. */
	public CompletableFuture<Map<String, String>> sendHmget(String key, String... fields) {
		return node().commands().hmget(key, fields).toCompletableFuture().thenApply(DataNodeCommands::existing);
	}

	private static Map<String, String> existing(List<KeyValue<String, String>> fields) {
		Map<String, String> existing = new HashMap<>();
		for (KeyValue<String, String> field : fields) {
			field.ifHasValue((value) -> existing.put(field.getKey(), value));
		}
		return existing;
	}

	/** HGETALL. */
	public Mono<Map<String, String>> hgetall(String key) {
		return call((c) -> c.hgetall(key));
	}

	/** ZRANGE: all members, lowest score first. */
	Mono<List<String>> zrange(String key) {
		return call((c) -> c.zrange(key, 0, -1));
	}

	/** ZREVRANGE: the members with the highest scores, highest first. */
	Mono<List<String>> zrevrange(String key, int count) {
		return call((c) -> c.zrevrange(key, 0, count - 1));
	}

	/** ZREVRANGE WITHSCORES: the same with their scores. */
	Mono<List<Cursor>> zrevrangeWithScores(String key, int count) {
		return call((c) -> c.zrevrangeWithScores(key, 0, count - 1)).map(DataNodeCommands::places);
	}

	/** ZRANGE WITHSCORES: the members with the lowest scores, lowest first. */
	Mono<List<Cursor>> zrangeWithScores(String key, int count) {
		return call((c) -> c.zrangeWithScores(key, 0, count - 1)).map(DataNodeCommands::places);
	}

	/**
	 * ZREVRANGEBYSCORE WITHSCORES LIMIT: members between two scores, both inclusive,
	 * highest first.
	 */
	Mono<List<Cursor>> zrevrangebyscore(String key, long max, long min, int offset, int count) {
		return call((c) -> c.zrevrangebyscoreWithScores(key, Range.create(min, max), Limit.create(offset, count)))
			.map(DataNodeCommands::places);
	}

	/**
	 * ZRANGEBYSCORE WITHSCORES LIMIT: members between two scores, both inclusive, lowest
	 * first.
	 */
	Mono<List<Cursor>> zrangebyscore(String key, long min, long max, int offset, int count) {
		return call((c) -> c.zrangebyscoreWithScores(key, Range.create(min, max), Limit.create(offset, count)))
			.map(DataNodeCommands::places);
	}

	/** ZCARD. */
	public Mono<Long> zcard(String key) {
		return call((c) -> c.zcard(key));
	}

	/** ZMSCORE: the scores in the order of the members; null for a missing member. */
	public Mono<List<@Nullable Double>> zmscore(String key, List<String> members) {
		return call((c) -> c.zmscore(key, members.toArray(String[]::new)));
	}

	private static List<Cursor> places(List<ScoredValue<String>> values) {
		return values.stream().map((value) -> new Cursor((long) value.getScore(), value.getValue())).toList();
	}

	/**
	 * EVALSHA, or EVAL when the node does not know the script: the script's answer, an
	 * array of texts.
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		return CommandRecorderContext.fromFuture(() -> sendScript(script, keys, args));
	}

	/** Like {@link #run}, sent at once. */
	public CompletableFuture<List<String>> sendScript(LuaScript script, List<String> keys, String... args) {
		return node().run(script, keys, args);
	}

	private <T> Mono<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return CommandRecorderContext.fromFuture(() -> command.apply(node().commands()));
	}

	/**
	 * The text with which Redis refused a command, whichever way the command was sent.
	 * @return empty for any other error
	 */
	public static String refusal(@Nullable Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisCommandExecutionException) {
				return String.valueOf(cause.getMessage());
			}
		}
		return "";
	}

	/** Whether the client itself gave up a command. */
	static boolean isOfTheClient(Throwable error) {
		return error instanceof RedisException && !(error instanceof RedisCommandExecutionException);
	}

	/**
	 * Also opens the connection of Spring Data's template. Otherwise the first command
	 * that uses the template would open it, and would block an event loop.
	 */
	@Override
	void prepare(LettuceConnectionFactory factory) {
		ReactiveRedisConnection templates = factory.getReactiveConnection();
		templates.close();
	}

	@Override
	public void start() {
		connectNow();
	}

}
