package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.redisson.command.CommandAsyncExecutor;

/**
 * The connection to one node. It knows whether the node can be asked, and it notices by
 * itself when that changes.
 */
interface NodeConnection {

	/**
	 * Starts to connect.
	 * @param beforeUp called whenever the node is found to be up, before anyone can ask
	 * it; its argument is done when the node can be asked
	 */
	void start(Consumer<CompletableFuture<?>> beforeUp);

	NodeState state();

	/**
	 * The client that asks the node, whether it is up or not; null until the first
	 * connection.
	 */
	@Nullable CommandAsyncExecutor client();

	/**
	 * Reports that something went wrong with a command. The node is not asked again until
	 * it has been examined.
	 * @param reason in a few words
	 * @param asked the state of the node when the command was sent
	 */
	void suspect(String reason, NodeState asked);

	/** Has the node examined soon. It may be asked meanwhile. */
	void lookAgain();

}
