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
 * The way of one client to one node: a port of 127.0.0.1 behind which the node stands.
 * When the node goes away, so do the connections.
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
	 * Opens a way.
	 * @param nodePort where the node listens on 127.0.0.1 when a connection is made
	 * @param loops whose threads pass on what comes
	 * @param scripts by which commands are known
	 * @return the way, to be closed
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

	/** What a client takes for the node's address. */
	public String uri() {
		return "redis://127.0.0.1:" + this.server.port();
	}

	/** Connections that reach the node now. */
	public int connections() {
		return this.passages.size();
	}

	/** Puts something in the way. */
	public Obstacle add(Obstacle obstacle) {
		this.obstacles.add(obstacle);
		return obstacle;
	}

	/**
	 * What was held goes on. Connections that lost something are of no more use, and
	 * break.
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

	/** Takes connections again. */
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
