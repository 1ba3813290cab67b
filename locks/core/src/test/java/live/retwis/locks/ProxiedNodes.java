package live.retwis.locks;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * The five nodes behind proxies, for one client.
 */
final class ProxiedNodes implements AutoCloseable {

	/** The script that takes the key, of either engine. */
	static final Predicate<SentCommand> ACQUIRE = script(SentCommand.containing("'exists'"));

	/** The script that raises the time to live. */
	static final Predicate<SentCommand> EXTEND = script(
			SentCommand.containing("'hexists'").and(SentCommand.containing("'pttl'")).and(ACQUIRE.negate()));

	static final Predicate<SentCommand> RELEASE = script(SentCommand.containing("'del'"));

	private final List<FaultProxy> proxies;

	private final TestNodes nodes;

	ProxiedNodes(TestNodes nodes) {
		this.nodes = nodes;
		this.proxies = IntStream.rangeClosed(1, nodes.size())
			.mapToObj((number) -> FaultProxy.to("127.0.0.1", nodes.node(number).port()))
			.toList();
	}

	private static Predicate<SentCommand> script(Predicate<SentCommand> content) {
		return SentCommand.named("EVAL").and(content);
	}

	/** Opens locks whose commands pass the proxies, and waits until all nodes are up. */
	RedLock open(LockSettings settings, FenceRegister fence, LockListener listener) {
		return TestNodes.awaitAllUp(this.nodes.open(new LockSettings(uris(), settings.nodeTimeout(), settings.engine()),
				fence, listener, TimeSource.SYSTEM));
	}

	List<String> uris() {
		return this.proxies.stream().map((proxy) -> "redis://127.0.0.1:" + proxy.port()).toList();
	}

	FaultProxy proxy(int number) {
		return this.proxies.get(number - 1);
	}

	/** Injects the same fault at each node. */
	List<Interception> each(Predicate<SentCommand> commands, Function<CommandFailpoint, Interception> fault) {
		return this.proxies.stream().map((proxy) -> fault.apply(proxy.at(commands))).toList();
	}

	@Override
	public void close() {
		this.proxies.forEach(FaultProxy::close);
	}

}
