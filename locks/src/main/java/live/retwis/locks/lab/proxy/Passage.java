package live.retwis.locks.lab.proxy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;

/**
 * One connection of a client through a proxy to its node.
 */
final class Passage {

	private final Link link;

	private final Connection node;

	/** As many as the client has asked without an answer. */
	private final Queue<Command> unanswered = new ConcurrentLinkedQueue<>();

	private volatile boolean toNodeLost;

	private volatile boolean toClientLost;

	Passage(Link link, Connection node) {
		this.link = link;
		this.node = node;
	}

	/** Passes on until one side closes. */
	Publisher<Void> run(NettyInbound client, NettyOutbound toClient) {
		Mono<Void> up = send(this.node.outbound(), frames(client, Way.TO_NODE));
		Mono<Void> down = send(toClient, frames(this.node.inbound(), Way.TO_CLIENT));
		return Mono.firstWithSignal(up, down, this.node.onDispose()).doFinally((end) -> this.node.dispose());
	}

	private static Mono<Void> send(NettyOutbound to, Flux<ByteBuf> bytes) {
		return to.send(bytes, (buffer) -> true).then();
	}

	private Flux<ByteBuf> frames(NettyInbound from, Way way) {
		RespFrames frames = new RespFrames();
		return from.receive()
			.asByteArray()
			.concatMapIterable(frames::feed)
			.map((value) -> frame(value, way))
			.concatMap(this::pass)
			.map((frame) -> Unpooled.wrappedBuffer(frame.bytes()));
	}

	private Frame frame(RespFrames.Value value, Way way) {
		Command command = (way == Way.TO_NODE) ? this.link.scripts().command(value.words()) : this.unanswered.poll();
		return new Frame(way, value.bytes(), command, System.nanoTime());
	}

	private Mono<Frame> pass(Frame frame) {
		return through(frame, this.link.obstacles()).filter((passed) -> !isLost(passed.way()))
			.doOnNext(this::delivered)
			.switchIfEmpty(Mono.fromRunnable(() -> lose(frame.way())));
	}

	private static Mono<Frame> through(Frame frame, List<Obstacle> obstacles) {
		return obstacles.stream()
			.filter((obstacle) -> obstacle.isInTheWayOf(frame))
			.findFirst()
			.map((obstacle) -> obstacle.pass(frame))
			.orElseGet(() -> Mono.just(frame));
	}

	private void delivered(Frame frame) {
		if (frame.way() == Way.TO_NODE && frame.command() != null) {
			this.unanswered.add(frame.command());
		}
	}

	private boolean isLost(Way way) {
		return (way == Way.TO_NODE) ? this.toNodeLost : this.toClientLost;
	}

	private void lose(Way way) {
		if (way == Way.TO_NODE) {
			this.toNodeLost = true;
		}
		else {
			this.toClientLost = true;
		}
	}

	boolean hasLost() {
		return this.toNodeLost || this.toClientLost;
	}

	void close() {
		this.node.dispose();
	}

}
