package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.redisson.api.RFuture;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

/**
 * What a node says about itself.
 *
 * @param info the fields of its INFO
 * @param appendFsync when it writes its append-only file to disk; empty when it does not
 * tell
 */
record NodeFacts(Map<String, String> info, String appendFsync) {

	/**
	 * Asks a node. Blocks, for six time-outs at most. Fails when it does not run scripts,
	 * because votes are scripts.
	 */
	static NodeFacts read(CommandAsyncExecutor node, Duration timeout)
			throws InterruptedException, ExecutionException, TimeoutException {
		Map<String, String> info = get(node.writeAsync("", StringCodec.INSTANCE, RedisCommands.INFO_ALL), timeout);
		if (!isLoading(info)) {
			get(node.evalWriteAsync("", StringCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN, "return 1", List.of()),
					timeout);
		}
		return new NodeFacts(info, appendFsync(node, timeout));
	}

	/** The setting, or an empty text: hosted servers often refuse CONFIG. */
	private static String appendFsync(CommandAsyncExecutor node, Duration timeout)
			throws InterruptedException, ExecutionException, TimeoutException {
		try {
			Map<String, String> config = get(
					node.writeAsync("", StringCodec.INSTANCE, RedisCommands.CONFIG_GET_MAP, "appendfsync"), timeout);
			return config.getOrDefault("appendfsync", "");
		}
		catch (ExecutionException ex) {
			if (NodeExceptionTranslator.outcome(ex) != NodeOutcome.ERROR) {
				throw ex;
			}
			return "";
		}
	}

	private static <T> T get(RFuture<T> answer, Duration timeout)
			throws InterruptedException, ExecutionException, TimeoutException {
		return answer.toCompletableFuture().get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * An id that no other server has, whatever its address is. It changes at each start.
	 */
	String runId() {
		return this.info.getOrDefault("run_id", "");
	}

	boolean isLoading() {
		return isLoading(this.info);
	}

	private static boolean isLoading(Map<String, String> info) {
		return !info.getOrDefault("loading", "0").equals("0");
	}

	/** Whether the node still has its locks when it is started again after a crash. */
	boolean remembers() {
		return this.info.getOrDefault("aof_enabled", "0").equals("1") && this.appendFsync.equals("always");
	}

	/**
	 * Whether the node told its setting. It does not when its user may not run CONFIG.
	 */
	boolean tellsAppendFsync() {
		return !this.appendFsync.isEmpty();
	}

	/**
	 * The rule for nodes that this node breaks, seen by itself; empty when it keeps them.
	 */
	Optional<String> brokenRule() {
		if (!this.info.getOrDefault("role", "master").equals("master")) {
			return Optional.of("is a replica: its master decides what it holds");
		}
		String policy = this.info.getOrDefault("maxmemory_policy", "noeviction");
		if (!policy.equals("noeviction")) {
			return Optional
				.of("has maxmemory-policy " + policy + ": it may evict a lock that is held; it takes noeviction");
		}
		return Optional.empty();
	}

}
