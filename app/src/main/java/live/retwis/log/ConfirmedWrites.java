package live.retwis.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import live.retwis.redis.DataNode;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SharedConnection;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Writes that {@code retwis.redis.wait-replicas} replicas must confirm. WAIT covers the
 * writes of its own connection only, and it blocks every command sent after it on that
 * connection. So these writes have a connection of their own. All writes that arrive
 * during one WAIT share the next WAIT.
 */
@Component
public class ConfirmedWrites extends SharedConnection {

	private final DataNode data;

	private final ReplicationProperties properties;

	/**
	 * One group for each node, by node id. The id is empty when there is only one node.
	 */
	private final ConcurrentMap<String, GroupCommit> groups = new ConcurrentHashMap<>();

	ConfirmedWrites(LettuceConnectionFactory factory, DataNode data, ReplicationProperties properties) {
		super(factory);
		this.data = data;
		this.properties = properties;
	}

	/**
	 * Runs a script that writes.
	 * @param keys all in one slot
	 * @return the script's answer; {@link NotConfirmed} when the write was made but not
	 * confirmed
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		if (this.properties.waitReplicas() == 0) {
			return this.data.run(script, keys, args);
		}
		String[] names = keys.toArray(String[]::new);
		return Mono.defer(() -> Mono.fromCompletionStage(node(names[0])))
			.flatMap((node) -> Mono.fromFuture(
					() -> group(node.id()).write(node.commands(), (commands) -> script.run(commands, names, args)),
					true));
	}

	private GroupCommit group(String node) {
		return this.groups.computeIfAbsent(node,
				(name) -> new GroupCommit(this.properties.waitReplicas(), this.properties.waitTimeout()));
	}

	/** The master that owns the key's slot. */
	private CompletionStage<Node> node(String key) {
		if (!(connection() instanceof StatefulRedisClusterConnection<String, String> cluster)) {
			return CompletableFuture.completedFuture(new Node("", commands()));
		}
		RedisClusterNode master = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
		if (master == null) {
			return CompletableFuture.failedFuture(new RedisConnectionException("No master has the slot of " + key));
		}
		return cluster.getConnectionAsync(master.getNodeId())
			.thenApply((connected) -> new Node(master.getNodeId(), connected.async()));
	}

	@Override
	public void start() {
		if (this.properties.waitReplicas() > 0) {
			connectInBackground();
		}
	}

	private record Node(String id, RedisClusterAsyncCommands<String, String> commands) {
	}

}
