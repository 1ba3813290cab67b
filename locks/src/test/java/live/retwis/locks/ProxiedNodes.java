package live.retwis.locks;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.locks.testing.Command;
import live.retwis.locks.testing.FaultProxy;
import live.retwis.locks.testing.Interception;
import live.retwis.locks.testing.Spot;

/**
 * The five nodes, seen by one client over proxies.
 */
final class ProxiedNodes implements AutoCloseable {

	/** Taking the key, by whichever engine. */
	static final Predicate<Command> ACQUIRE = script(Command.containing("'exists'"));

	/** Raising its time to live. */
	static final Predicate<Command> EXTEND = script(
			Command.containing("'hexists'").and(Command.containing("'pttl'")).and(ACQUIRE.negate()));

	static final Predicate<Command> RELEASE = script(Command.containing("'del'"));

	private final List<FaultProxy> proxies;

	private final TestNodes nodes;

	ProxiedNodes(TestNodes nodes) {
		this.nodes = nodes;
		this.proxies = IntStream.rangeClosed(1, nodes.size())
			.mapToObj((number) -> FaultProxy.to("127.0.0.1", nodes.node(number).port()))
			.toList();
	}

	private static Predicate<Command> script(Predicate<Command> content) {
		return Command.named("EVAL").and(content);
	}

	/** Locks whose every command passes the proxies; all nodes are up. */
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

	/** The same at each node. */
	List<Interception> each(Predicate<Command> commands, Function<Spot, Interception> fault) {
		return this.proxies.stream().map((proxy) -> fault.apply(proxy.at(commands))).toList();
	}

	@Override
	public void close() {
		this.proxies.forEach(FaultProxy::close);
	}

}
