package live.retwis.locks.nodes.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.function.Consumer;

/**
 * A connection of a client through the proxy to the server.
 */
final class ProxiedConnection {

	private final Socket client;

	private final Socket server;

	private final Obstacles obstacles;

	private final Consumer<ProxiedConnection> whenClosed;

	private final Dialogue dialogue = new Dialogue();

	private final List<Thread> threads;

	ProxiedConnection(Socket client, Socket server, Obstacles obstacles, Consumer<ProxiedConnection> whenClosed) {
		this.client = client;
		this.server = server;
		this.obstacles = obstacles;
		this.whenClosed = whenClosed;
		ConnectionPipe up = new ConnectionPipe(this, ProxyDirection.TO_SERVER, client, server);
		ConnectionPipe down = new ConnectionPipe(this, ProxyDirection.TO_CLIENT, server, client);
		this.threads = List.of(thread(up::read), thread(up::write), thread(down::read), thread(down::write));
	}

	void start() throws IOException {
		this.client.setTcpNoDelay(true);
		this.server.setTcpNoDelay(true);
		this.threads.forEach(Thread::start);
	}

	Obstacles obstacles() {
		return this.obstacles;
	}

	Dialogue dialogue() {
		return this.dialogue;
	}

	/** Breaks it; what is on its way is lost. */
	void close() {
		closeQuietly(this.client);
		closeQuietly(this.server);
		this.threads.forEach(Thread::interrupt);
		this.whenClosed.accept(this);
	}

	static void closeQuietly(Closeable socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is of no use any more either way.
		}
	}

	private Thread thread(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				close();
			}
			catch (InterruptedException ex) {
				// It was closed.
			}
		}, "fault-proxy");
		thread.setDaemon(true);
		return thread;
	}

	@FunctionalInterface
	private interface Work {

		void run() throws IOException, InterruptedException;

	}

}
