package live.retwis.learn;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

import live.retwis.background.LowProcessPriority;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * The servers of one experiment, in a directory of their own and with a low priority, so
 * that pages stay fast. All of them end with {@link #close()}, or when this program is
 * killed, see {@link ProcessRegistry}.
 */
final class ScratchServers implements AutoCloseable {

	private static final String MEMORY = "maxmemory 32mb";

	private final ProcessRegistry registry = ProcessRegistry.open(LowProcessPriority::give);

	/** The last one first. */
	private final Deque<AutoCloseable> open = new ArrayDeque<>();

	private boolean closed;

	private int started;

	/**
	 * Starts a server of at most 32 MB that stores nothing on the disk, unless a
	 * directive says otherwise. It takes some 50 ms.
	 * @param directives lines of its configuration
	 * @throws IllegalStateException when the experiment has been ended meanwhile
	 */
	RedisProcess start(String... directives) {
		String name = "learn-" + ++this.started;
		return keep(() -> {
			RedisProcess process = RedisProcess
				.start(RedisProcessOptions.DEFAULT.withDirectory(this.registry.directory().resolve(name))
					.with(MEMORY)
					.with(directives));
			this.registry.record(process.pid());
			return process;
		});
	}

	/** Starts a server again that was killed. */
	void restart(RedisProcess server) {
		keep(() -> {
			server.restart();
			this.registry.record(server.pid());
			return server;
		});
	}

	/** A way to a server that can be interrupted. */
	FaultProxy wayTo(RedisProcess server) {
		return keep(() -> FaultProxy.ofBytes("127.0.0.1", server.port()));
	}

	/** Closes what was begun when the experiment was ended meanwhile. */
	private <T extends AutoCloseable> T keep(Supplier<T> beginning) {
		synchronized (this) {
			if (this.closed) {
				throw new IllegalStateException("The experiment was ended");
			}
			T begun = beginning.get();
			if (!this.open.contains(begun)) {
				this.open.push(begun);
			}
			return begun;
		}
	}

	/** Ends all servers and removes their files. Waits while one is being started. */
	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			while (!this.open.isEmpty()) {
				this.open.pop().close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("A server of an experiment may be left", ex);
		}
		finally {
			this.registry.endAll();
			this.registry.close();
		}
	}

}
