package live.retwis.locks.lab.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * The connection of a replica to its master. It passes on single bytes, because what a
 * master sends cannot be cut into values as a {@link ProxyLink} does. Once frozen it
 * stays so: the connection is open, and nothing more comes from the master.
 */
public final class ReplicationPipe implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final int masterPort;

	private final LoopResources loops;

	private final DisposableServer server;

	private final AtomicLong withheld = new AtomicLong();

	private volatile boolean frozen;

	private ReplicationPipe(int masterPort, LoopResources loops) {
		this.masterPort = masterPort;
		this.loops = loops;
		this.server = TcpServer.create().host("127.0.0.1").port(0).runOn(loops).handle(this::accept).bindNow(BOUND);
	}

	/**
	 * Opens a pipe.
	 * @param masterPort the master's port on 127.0.0.1
	 * @param loops event loops that pass on what comes
	 * @return the pipe, to be closed
	 */
	public static ReplicationPipe to(int masterPort, LoopResources loops) {
		return new ReplicationPipe(masterPort, loops);
	}

	private Publisher<Void> accept(NettyInbound replica, NettyOutbound toReplica) {
		return TcpClient.create()
			.host("127.0.0.1")
			.port(this.masterPort)
			.runOn(this.loops)
			.connect()
			.onErrorComplete()
			.flatMap((master) -> run(replica, toReplica, master));
	}

	private Mono<Void> run(NettyInbound replica, NettyOutbound toReplica, Connection master) {
		Mono<Void> up = send(master.outbound(), replica.receive().asByteArray());
		Mono<Void> down = send(toReplica, master.inbound().receive().asByteArray().filter(this::passes));
		return Mono.firstWithSignal(up, down, master.onDispose())
			.onErrorComplete()
			.doFinally((end) -> master.dispose());
	}

	private static Mono<Void> send(NettyOutbound to, Flux<byte[]> bytes) {
		return to.send(bytes.<ByteBuf>map(Unpooled::wrappedBuffer), (buffer) -> true).then();
	}

	private boolean passes(byte[] bytes) {
		if (this.frozen) {
			this.withheld.addAndGet(bytes.length);
		}
		return !this.frozen;
	}

	/** The port on 127.0.0.1 that the replica uses for its master. */
	public int port() {
		return this.server.port();
	}

	/** Stops everything that goes to the replica. */
	public void freeze() {
		this.frozen = true;
	}

	/** How many bytes the master has sent since then. */
	public long withheld() {
		return this.withheld.get();
	}

	@Override
	public void close() {
		this.server.disposeNow(BOUND);
	}

}
