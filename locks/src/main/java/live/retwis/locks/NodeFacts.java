package live.retwis.locks;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

/**
 * What a node says about itself.
 *
 * @param info the fields of its INFO
 */
record NodeFacts(Map<String, String> info) {

	/** Asks a node. Blocks, twice the time-out at most. */
	static NodeFacts read(CommandAsyncExecutor node, Duration timeout)
			throws InterruptedException, ExecutionException, TimeoutException {
		return new NodeFacts(node
			.<Map<String, String>, Map<String, String>>writeAsync("", StringCodec.INSTANCE, RedisCommands.INFO_ALL)
			.toCompletableFuture()
			.get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS));
	}

	/** Tells a server from every other one, whatever its address; new at each start. */
	String runId() {
		return this.info.getOrDefault("run_id", "");
	}

	boolean isLoading() {
		return !this.info.getOrDefault("loading", "0").equals("0");
	}

	boolean persists() {
		return this.info.getOrDefault("aof_enabled", "0").equals("1");
	}

	/** The rule of the nodes that it breaks by itself, if any. */
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
