package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.redisson.command.CommandAsyncExecutor;

/**
 * The way to one node. Knows whether the node can be asked, and finds out by itself when
 * that changes.
 */
interface NodeConnection {

	/**
	 * Starts to connect.
	 * @param beforeUp told whenever the node is found to be up, before anyone can ask it;
	 * what it is given is done when it can be asked
	 */
	void start(Consumer<CompletableFuture<?>> beforeUp);

	NodeState state();

	/** What to ask the node with, up or not; null before it was ever connected. */
	@Nullable CommandAsyncExecutor client();

	/**
	 * Something went wrong with what was asked in that state: not to be asked until it
	 * was looked at.
	 */
	void suspect(String reason, NodeState asked);

	/** To be looked at soon; may be asked meanwhile. */
	void lookAgain();

}
