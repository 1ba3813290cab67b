package live.retwis.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
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

import java.time.Duration;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.RedisConnectionFailureException;
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
public class DataNode implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(DataNode.class);

	/**
	 * Between two attempts of the first connection; later ones are the client's affair.
	 */
	private static final Duration RETRY = Duration.ofMillis(500);

	private final LettuceConnectionFactory factory;

	private volatile @Nullable StatefulConnection<String, String> connection;

	private volatile @Nullable RedisClusterAsyncCommands<String, String> commands;

	private @Nullable Disposable connecting;

	DataNode(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Sends one command when subscribed. Several that are zipped go in one round trip.
	 * Cancelling drops the answer, not the command.
	 * @return its answer; empty for nil; a {@link RedisException} when the node is away
	 * or refuses
	 */
	public <T> Mono<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
		return Mono.defer(() -> {
			RedisClusterAsyncCommands<String, String> connected = this.commands;
			return (connected != null) ? Mono.fromFuture(command.apply(connected).toCompletableFuture(), true)
					: Mono.error(new RedisConnectionException("The data node has not answered yet"));
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
		String[] names = keys.toArray(String[]::new);
		return call((c) -> c.<List<String>>evalsha(script.sha(), ScriptOutputType.MULTI, names, args)).onErrorResume(
				RedisNoScriptException.class,
				(ex) -> call((c) -> c.eval(script.body(), ScriptOutputType.MULTI, names, args)));
	}

	/**
	 * Waits for the node on a machine where it answers at once; where it does not, goes
	 * on, and connects as soon as it can.
	 */
	@Override
	public void start() {
		Mono<Void> connect = Mono.<Void>fromRunnable(this::connect).subscribeOn(Schedulers.boundedElastic());
		try {
			connect();
		}
		catch (RedisException | RedisConnectionFailureException ex) {
			log.warn("The data node does not answer: {}. Pages answer 503 until it does.", ex.getMessage());
			this.connecting = connect.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY))
				.subscribe(null, (error) -> log.error("Cannot connect to the data node", error));
		}
	}

	/**
	 * Also makes the template's connection, which would otherwise be made by the first
	 * command that uses it: on an event loop, which has to wait for it.
	 */
	private void connect() {
		ReactiveRedisConnection templates = this.factory.getReactiveConnection();
		templates.close();
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClusterClient cluster) {
			StatefulRedisClusterConnection<String, String> connected = cluster.connect(Utf8Codec.INSTANCE);
			this.commands = connected.async();
			this.connection = connected;
		}
		else {
			StatefulRedisConnection<String, String> connected = ((RedisClient) client).connect(Utf8Codec.INSTANCE);
			this.commands = connected.async();
			this.connection = connected;
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

	/** First to start and last to stop: everything else needs it. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1000;
	}

}
