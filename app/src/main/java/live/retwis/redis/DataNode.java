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
 * The data node for scripts and for pages: one multiplexed connection on which commands
 * that do not wait for each other travel together. Spring Data's template costs several
 * times as much for each command, which only a page that sends many notices; everything
 * else uses the template.
 */
@Component
public class DataNode extends SharedConnection {

	private final LettuceConnectionFactory factory;

	DataNode(LettuceConnectionFactory factory) {
		super(factory);
		this.factory = factory;
	}

	/**
	 * Sends one command when subscribed. Several that are zipped go in one round trip.
	 * Cancelling drops the answer, not the command.
	 * @return its answer; empty for nil; a {@link RedisException} when the node is away
	 * or refuses
	 */
	public <T> Mono<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return Mono.defer(() -> Mono.fromFuture(command.apply(commands()).toCompletableFuture(), true));
	}

	/**
	 * Sends a command that names no key to the node that has this one.
	 * @return its answer; an error as of {@link #call}
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
	 * @param combine what to make of both answers, of which nil is null
	 * @return what it made; empty for null; an error as of {@link #call}
	 */
	public <A, B, T> Mono<T> both(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<A>> one,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<B>> other,
			BiFunction<@Nullable A, @Nullable B, @Nullable T> combine) {
		return call((c) -> one.apply(c).thenCombine(other.apply(c), combine));
	}

	/**
	 * Runs a script, sending its text only when the node does not know it.
	 * @return its answer, an array of texts
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		return call((c) -> script.run(c, keys.toArray(String[]::new), args));
	}

	/**
	 * Also makes the template's connection, which would otherwise be made by the first
	 * command that uses it: on an event loop, which has to wait for it.
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
