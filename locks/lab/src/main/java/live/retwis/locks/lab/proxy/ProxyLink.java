package live.retwis.locks.lab.proxy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * The link of one client to one node. It is a port of 127.0.0.1, and what comes there is
 * passed on to the node. When the node closes its connections, so does the link.
 */
public final class ProxyLink implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final IntSupplier nodePort;

	private final LoopResources loops;

	private final SeenScripts scripts;

	private final DisposableServer server;

	private final Set<ProxyConnection> passages = ConcurrentHashMap.newKeySet();

	private final List<Obstacle> obstacles = new CopyOnWriteArrayList<>();

	private volatile boolean cut;

	private ProxyLink(IntSupplier nodePort, LoopResources loops, SeenScripts scripts) {
		this.nodePort = nodePort;
		this.loops = loops;
		this.scripts = scripts;
		this.server = TcpServer.create().host("127.0.0.1").port(0).runOn(loops).handle(this::accept).bindNow(BOUND);
	}

	/**
	 * Opens a link.
	 * @param nodePort the node's port on 127.0.0.1, asked whenever a connection is made
	 * @param loops event loops that pass on what comes
	 * @param scripts by which commands are recognised
	 * @return the link, to be closed
	 */
	public static ProxyLink to(IntSupplier nodePort, LoopResources loops, SeenScripts scripts) {
		return new ProxyLink(nodePort, loops, scripts);
	}

	private Publisher<Void> accept(NettyInbound client, NettyOutbound toClient) {
		if (this.cut) {
			return Mono.empty();
		}
		return TcpClient.create()
			.host("127.0.0.1")
			.port(this.nodePort.getAsInt())
			.runOn(this.loops)
			.connect()
			.onErrorComplete()
			.flatMap((node) -> {
				ProxyConnection proxyConnection = new ProxyConnection(this, node);
				this.passages.add(proxyConnection);
				if (this.cut) {
					proxyConnection.close();
				}
				return Mono.from(proxyConnection.run(client, toClient))
					.onErrorComplete()
					.doFinally((end) -> this.passages.remove(proxyConnection));
			});
	}

	/** The address that a client uses for the node. */
	public String uri() {
		return "redis://127.0.0.1:" + this.server.port();
	}

	/** How many connections reach the node now. */
	public int connections() {
		return this.passages.size();
	}

	/** Puts an obstacle in the way. */
	public Obstacle add(Obstacle obstacle) {
		this.obstacles.add(obstacle);
		return obstacle;
	}

	/**
	 * Removes an obstacle. What it held goes on. Connections on which something was lost
	 * are of no more use, so they break.
	 */
	public void remove(Obstacle obstacle) {
		this.obstacles.remove(obstacle);
		obstacle.remove();
		if (obstacle.effect() == Obstacle.Effect.LOSE) {
			this.passages.stream().filter(ProxyConnection::hasLost).forEach(ProxyConnection::close);
		}
	}

	/** Breaks all connections, and each new one at once. */
	public void cut() {
		this.cut = true;
		this.passages.forEach(ProxyConnection::close);
	}

	/** Accepts connections again. */
	public void join() {
		this.cut = false;
	}

	SeenScripts scripts() {
		return this.scripts;
	}

	List<Obstacle> obstacles() {
		return this.obstacles;
	}

	@Override
	public void close() {
		List.copyOf(this.obstacles).forEach(this::remove);
		this.passages.forEach(ProxyConnection::close);
		this.server.disposeNow(BOUND);
	}

}
