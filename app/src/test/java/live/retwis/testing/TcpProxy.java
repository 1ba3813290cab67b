package live.retwis.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between a client and a server, and takes from them what a network can take:
 * their connections, or silently what one of them says.
 */
public final class TcpProxy implements AutoCloseable {

	private static final int BUFFER = 8192;

	private final ServerSocket server;

	private final String host;

	private final int port;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	private volatile boolean closedToNew;

	private TcpProxy(String host, int port) throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.host = host;
		this.port = port;
	}

	/** A proxy on a port of its own. */
	public static TcpProxy to(String host, int port) {
		try {
			TcpProxy proxy = new TcpProxy(host, port);
			start("tcp-proxy", proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** Address of a path of the site behind it. */
	public String url(String path) {
		return "http://127.0.0.1:" + port() + path;
	}

	/** Breaks all connections, and those that are tried until {@link #mend()}. */
	public void cut() {
		this.closedToNew = true;
		this.connections.forEach(Connection::close);
	}

	/** Lets new connections through again. */
	public void mend() {
		this.closedToNew = false;
	}

	/**
	 * From now on the client hears nothing on connections where it has said that word;
	 * they stay open.
	 * @return how many these are
	 */
	public long mute(String word) {
		return this.connections.stream().filter((connection) -> connection.muteIfSaid(word)).count();
	}

	@Override
	public void close() {
		closeQuietly(this.server);
		this.connections.forEach(Connection::close);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				if (this.closedToNew) {
					closeQuietly(client);
				}
				else {
					connect(client);
				}
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private void connect(Socket client) {
		try {
			Connection connection = new Connection(client, new Socket(this.host, this.port));
			this.connections.add(connection);
			start("tcp-proxy-up", connection::up);
			start("tcp-proxy-down", connection::down);
		}
		catch (IOException ex) {
			closeQuietly(client);
		}
	}

	private static void start(String name, Runnable work) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
	}

	private static void closeQuietly(Closeable socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is of no use any more either way.
		}
	}

	private final class Connection {

		private final Socket client;

		private final Socket target;

		private final StringBuffer said = new StringBuffer();

		private volatile boolean muted;

		Connection(Socket client, Socket target) {
			this.client = client;
			this.target = target;
		}

		boolean muteIfSaid(String word) {
			if (this.said.indexOf(word) >= 0) {
				this.muted = true;
			}
			return this.muted;
		}

		void up() {
			copy(this.client, this.target, true);
		}

		void down() {
			copy(this.target, this.client, false);
		}

		private void copy(Socket from, Socket to, boolean up) {
			byte[] buffer = new byte[BUFFER];
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
					if (up) {
						this.said.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
					}
					if (up || !this.muted) {
						out.write(buffer, 0, length);
					}
				}
			}
			catch (IOException ex) {
				// One of the two is gone, so the other goes as well.
			}
			close();
		}

		void close() {
			TcpProxy.this.connections.remove(this);
			closeQuietly(this.client);
			closeQuietly(this.target);
		}

	}

}
