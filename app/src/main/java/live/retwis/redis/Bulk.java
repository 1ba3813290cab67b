package live.retwis.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Many commands at once, over a connection of their own: they leave with one flush, which
 * halves what they cost, and no page has to wait behind them.
 */
@Component
public class Bulk extends RedisLink {

	Bulk(LettuceConnectionFactory factory) {
		super(factory);
	}

	/**
	 * Runs a script for each call, in one round trip.
	 * @return their answers, whole numbers, in the order of the calls; an error when one
	 * fails, though the others may have run
	 */
	public Mono<List<Long>> run(LuaScript script, List<Call> calls) {
		return send(script, calls).onErrorResume(RedisNoScriptException.class,
				(ex) -> load(script).then(send(script, calls)));
	}

	private Mono<List<Long>> send(LuaScript script, List<Call> calls) {
		return Mono.defer(() -> {
			RedisClusterAsyncCommands<String, String> commands = together();
			List<CompletableFuture<Long>> answers = calls.stream()
				.map((call) -> commands.<Long>evalsha(script.sha(), ScriptOutputType.INTEGER, call.keys(), call.args())
					.toCompletableFuture())
				.toList();
			flush();
			return Mono.fromFuture(CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new)), true)
				.then(Mono.fromSupplier(() -> answers.stream().map(CompletableFuture::join).toList()));
		});
	}

	/** SCRIPT LOAD, on each node of a cluster. */
	private Mono<Void> load(LuaScript script) {
		return Mono.defer(() -> {
			CompletableFuture<String> loaded = together().scriptLoad(script.body()).toCompletableFuture();
			flush();
			return Mono.fromFuture(loaded, true).then();
		});
	}

	private RedisClusterAsyncCommands<String, String> together() {
		RedisClusterAsyncCommands<String, String> commands = commands();
		StatefulConnection<String, String> connection = connection();
		if (connection != null && !isCluster()) {
			connection.setAutoFlushCommands(false);
		}
		return commands;
	}

	/**
	 * The connection to a node of a cluster is made when a command needs it, and might be
	 * there only after the flush.
	 */
	private boolean isCluster() {
		return connection() instanceof StatefulRedisClusterConnection;
	}

	private void flush() {
		StatefulConnection<String, String> connection = connection();
		if (connection != null && !isCluster()) {
			connection.flushCommands();
		}
	}

	@Override
	public void start() {
		connectInBackground();
	}

	/**
	 * One call of a script.
	 *
	 * @param keys in one slot
	 * @param args its arguments
	 */
	@SuppressWarnings("ArrayRecordComponent")
	public record Call(String[] keys, String... args) {

		/** A call about one key. */
		public static Call of(String key, String... args) {
			return new Call(new String[] { key }, args);
		}

	}

}
