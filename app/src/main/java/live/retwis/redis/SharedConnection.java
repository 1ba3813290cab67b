package live.retwis.redis;

import java.time.Duration;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One connection to the data node, or to all nodes of a cluster. It is opened as soon as
 * the node answers. After that the client reconnects by itself.
 */
public abstract class SharedConnection implements SmartLifecycle {

	/** Starts first and stops last, because everything else needs the connection. */
	private static final int PHASE = Integer.MIN_VALUE + 1000;

	private static final Logger log = LoggerFactory.getLogger(SharedConnection.class);

	/** Time between two attempts to open the connection for the first time. */
	private static final Duration RETRY = Duration.ofMillis(500);

	private final LettuceConnectionFactory factory;

	private volatile @Nullable StatefulConnection<String, String> connection;

	private volatile @Nullable RedisClusterAsyncCommands<String, String> commands;

	private @Nullable Disposable connecting;

	protected SharedConnection(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * The commands of the connection.
	 * @throws RedisConnectionException when it was never connected
	 */
	protected final RedisClusterAsyncCommands<String, String> commands() {
		RedisClusterAsyncCommands<String, String> connected = this.commands;
		if (connected == null) {
			throw new RedisConnectionException("The data node has not answered yet");
		}
		return connected;
	}

	/** The connection; null before it was opened for the first time. */
	protected final @Nullable StatefulConnection<String, String> connection() {
		return this.connection;
	}

	/** Runs before the connection is opened. It fails like a failed connect. */
	void prepare() {
	}

	/**
	 * Connects before it returns. If the node does not answer, it returns anyway and
	 * keeps trying in the background.
	 */
	protected final void connectNow() {
		try {
			connect();
		}
		catch (RedisException | RedisConnectionFailureException ex) {
			log.warn("The data node does not answer: {}: {}. Pages answer 503 until it does.", ex.getMessage(),
					NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
			connectInBackground();
		}
	}

	/** Connects in the background, and returns at once. */
	protected final void connectInBackground() {
		this.connecting = Mono.<Void>fromRunnable(this::connect)
			.subscribeOn(Schedulers.boundedElastic())
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY))
			.subscribe(null, (error) -> log.error("Cannot connect to the data node", error));
	}

	private void connect() {
		prepare();
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClusterClient cluster) {
			StatefulRedisClusterConnection<String, String> connected = cluster.connect(Utf8Codec.INSTANCE);
			this.connection = connected;
			this.commands = connected.async();
		}
		else {
			StatefulRedisConnection<String, String> connected = ((RedisClient) client).connect(Utf8Codec.INSTANCE);
			this.connection = connected;
			this.commands = connected.async();
		}
	}

	@Override
	public void stop() {
		if (this.connecting != null) {
			this.connecting.dispose();
		}
		StatefulConnection<String, String> open = this.connection;
		this.commands = null;
		this.connection = null;
		if (open != null) {
			open.close();
		}
	}

	@Override
	public boolean isRunning() {
		return this.commands != null || this.connecting != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
