package live.retwis.locks;

import java.util.List;

import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.client.codec.Codec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.command.CommandAsyncService;
import org.redisson.config.Config;
import org.redisson.misc.CompletableFutureWrapper;

/**
 * Sends scripts over a simulated link, also those of Redisson's locks. Everything else
 * behaves like a client that never connects.
 */
final class SimulatedExecutor extends CommandAsyncService {

	private final SimulatedLink link;

	SimulatedExecutor(SimulatedLink link) {
		super(Unconnected.EXECUTOR, false);
		this.link = link;
	}

	/**
	 * The answer of this library's scripts is a boolean. Redisson's own script answers
	 * nil for success, and otherwise the time to live of the key.
	 */
	@Override
	@SuppressWarnings({ "unchecked", "NullAway" })
	public <T> RFuture<T> syncedEvalNoRetry(String key, Codec codec, RedisCommand<T> type, String script,
			List<Object> keys, Object... arguments) {
		boolean ours = type == (RedisCommand<?>) RedisCommands.EVAL_BOOLEAN;
		return new CompletableFutureWrapper<>(this.link.send(SimulatedCommand.parse(script, key, arguments))
			.thenApply((yes) -> (T) (ours ? yes : yes ? null : Long.valueOf(1))));
	}

	private static final class Unconnected {

		private static final CommandAsyncExecutor EXECUTOR = executor();

		private static CommandAsyncExecutor executor() {
			Config config = new Config().setLazyInitialization(true);
			config.useSingleServer().setAddress("redis://127.0.0.1:1");
			return ((Redisson) Redisson.create(config)).getCommandExecutor();
		}

	}

}
