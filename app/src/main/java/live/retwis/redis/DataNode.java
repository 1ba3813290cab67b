package live.retwis.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * The connection to the data node for scripts and pages. It is one multiplexed
 * connection: commands that do not wait for each other travel together. Spring Data's
 * template costs several times as much per command. That matters only to pages that send
 * many commands, so everything else uses the template.
 */
@Component
public class DataNode extends SharedConnection {

	private final LettuceConnectionFactory factory;

	DataNode(LettuceConnectionFactory factory) {
		super(factory);
		this.factory = factory;
	}

	/**
	 * Sends one command when subscribed. Commands that are zipped travel in one round
	 * trip. Cancelling drops the answer, but the command still runs.
	 * @return its answer; empty for nil; a {@link RedisException} when the node is away
	 * or refuses
	 */
	public <T> Mono<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return Mono.defer(() -> Mono.fromFuture(command.apply(commands()).toCompletableFuture(), true));
	}

	/**
	 * Sends a command without a key to the node that holds the given key.
	 * @return its answer; the same errors as {@link #call}
	 */
	<T> Mono<T> callBeside(String key,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return Mono.defer(() -> {
			if (!(connection() instanceof StatefulRedisClusterConnection<String, String> cluster)) {
				return call(command);
			}
			RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
			return (node == null) ? Mono.error(new RedisException("No node of the cluster has " + key + " now"))
					: Mono.fromFuture(cluster.getConnectionAsync(node.getNodeId()), true)
						.flatMap((own) -> Mono.fromFuture(command.apply(own.async()).toCompletableFuture(), true));
		});
	}

	/**
	 * Sends two commands in one round trip.
	 * @param combine combines both answers; an answer of nil is passed as null
	 * @return the combined value; empty when it is null; the same errors as {@link #call}
	 */
	public <A, B, T> Mono<T> both(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<A>> one,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<B>> other,
			BiFunction<@Nullable A, @Nullable B, @Nullable T> combine) {
		return call((c) -> one.apply(c).thenCombine(other.apply(c), combine));
	}

	/**
	 * Runs a script. Its text is sent only when the node does not know the script.
	 * @return its answer, an array of texts
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		return call((c) -> script.run(c, keys.toArray(String[]::new), args));
	}

	/**
	 * Also opens the connection of Spring Data's template. Otherwise the first command
	 * that uses the template would open it, and would block an event loop.
	 */
	@Override
	void prepare() {
		ReactiveRedisConnection templates = this.factory.getReactiveConnection();
		templates.close();
	}

	@Override
	public void start() {
		connectNow();
	}

}
