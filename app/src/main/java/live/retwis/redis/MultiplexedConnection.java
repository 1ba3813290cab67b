package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import live.retwis.redis.CommandTracing.Traced;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One connection to the data node, or to all nodes of a cluster. It is opened as soon as
 * the node answers. After that the client reconnects by itself. Its commands cost the
 * client less than those of Spring Data's template.
 */
abstract class MultiplexedConnection implements SmartLifecycle {

	/** Starts first and stops last, because everything else needs the connection. */
	private static final int PHASE = Integer.MIN_VALUE + 1000;

	private static final Logger log = LoggerFactory.getLogger(MultiplexedConnection.class);

	/** Time between two attempts to open the connection for the first time. */
	private static final Duration RETRY = Duration.ofMillis(500);

	private final LettuceConnectionFactory factory;

	private volatile @Nullable StatefulConnection<String, String> connection;

	private @Nullable Disposable connecting;

	MultiplexedConnection(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	final boolean isOpen() {
		return this.connection != null;
	}

	final boolean isCluster() {
		return this.factory.isClusterAware();
	}

	/**
	 * The data node; on a cluster the connection chooses the right one for each command.
	 * @throws RedisConnectionFailureException when it was never connected
	 */
	final Node node() {
		StatefulConnection<String, String> open = this.connection;
		if (open == null) {
			throw new RedisConnectionFailureException("The data node has not answered yet");
		}
		return new Node("", (open instanceof StatefulRedisClusterConnection<String, String> cluster) ? cluster.async()
				: ((StatefulRedisConnection<String, String>) open).async());
	}

	/** The data node; on a cluster the master that has the key now. */
	final CompletionStage<Node> nodeOf(String key) {
		if (!(this.connection instanceof StatefulRedisClusterConnection<String, String> cluster)) {
			return CompletableFuture.completedFuture(node());
		}
		RedisClusterNode master = cluster.getPartitions().getPartitionBySlot(ClusterSlotHashUtil.calculateSlot(key));
		if (master == null) {
			throw new RedisConnectionFailureException("No master has the slot of " + key);
		}
		return cluster.getConnectionAsync(master.getNodeId())
			.thenApply((connected) -> new Node(master.getNodeId(), connected.async()));
	}

	/** Runs before the connection is opened. It fails like a failed connect. */
	void prepare(LettuceConnectionFactory factory) {
	}

	/**
	 * Connects before it returns. If the node does not answer, it returns anyway and
	 * keeps trying in the background.
	 */
	final void connectNow() {
		try {
			connect();
		}
		catch (RedisException | RedisConnectionFailureException ex) {
			log.warn("The data node does not answer: {}: {}", ex.getMessage(),
					NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
			connectInBackground();
		}
	}

	/** Connects in the background, and returns at once. */
	final void connectInBackground() {
		this.connecting = Mono.<Void>fromRunnable(this::connect)
			.subscribeOn(Schedulers.boundedElastic())
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY))
			.subscribe(null, (error) -> log.error("Cannot connect to the data node", error));
	}

	private void connect() {
		prepare(this.factory);
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		this.connection = (client instanceof RedisClusterClient cluster) ? cluster.connect(Utf8Codec.INSTANCE)
				: ((RedisClient) client).connect(Utf8Codec.INSTANCE);
	}

	@Override
	public final void stop() {
		if (this.connecting != null) {
			this.connecting.dispose();
		}
		StatefulConnection<String, String> open = this.connection;
		this.connection = null;
		if (open != null) {
			open.close();
		}
	}

	@Override
	public final boolean isRunning() {
		return this.connection != null || this.connecting != null;
	}

	@Override
	public final int getPhase() {
		return PHASE;
	}

	/**
	 * A node, whose commands run in the order in which they were sent.
	 *
	 * @param id id of the node in the cluster; empty when the connection chooses the node
	 */
	record Node(String id, RedisClusterAsyncCommands<String, String> commands) {

		/**
		 * EVALSHA; followed by EVAL when the node does not know the script.
		 * @return its answer, an array of texts
		 */
		CompletableFuture<List<String>> run(LuaScript script, List<String> keys, String... args) {
			String[] names = keys.toArray(String[]::new);
			Traced sender = CommandRecorderContext.current();
			return this.commands.<List<String>>evalsha(script.getSha1(), ScriptOutputType.MULTI, names, args)
				.toCompletableFuture()
				.exceptionallyCompose(
						(error) -> isUnknown(error)
								? CommandRecorderContext.within(sender,
										() -> this.commands.<List<String>>eval(script.getScriptAsString(),
												ScriptOutputType.MULTI, names, args))
								: CompletableFuture.failedFuture(error))
				.exceptionallyCompose((error) -> CompletableFuture.failedFuture(script.explained(error)));
		}

		private static boolean isUnknown(Throwable error) {
			return error instanceof RedisNoScriptException || error.getCause() instanceof RedisNoScriptException;
		}

		/** EXPIRE. */
		CompletionStage<Boolean> expire(String key, Duration kept) {
			return this.commands.expire(key, kept);
		}

		/**
		 * WAIT: how many replicas have all that was written on this connection, at the
		 * latest after the given time.
		 */
		CompletionStage<Long> confirmed(int replicas, Duration longest) {
			return this.commands.waitForReplication(replicas, longest.toMillis());
		}

	}

}
