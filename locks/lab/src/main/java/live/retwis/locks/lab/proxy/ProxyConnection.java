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
 * One connection of a client to its node, through a proxy.
 */
final class ProxyConnection {

	private final ProxyLink link;

	private final Connection node;

	/** The commands that have no answer yet. */
	private final Queue<RedisCommand> unanswered = new ConcurrentLinkedQueue<>();

	private volatile boolean toNodeLost;

	private volatile boolean toClientLost;

	ProxyConnection(ProxyLink link, Connection node) {
		this.link = link;
		this.node = node;
	}

	/** Passes everything on until one side closes. */
	Publisher<Void> run(NettyInbound client, NettyOutbound toClient) {
		Mono<Void> up = send(this.node.outbound(), frames(client, TrafficDirection.TO_NODE));
		Mono<Void> down = send(toClient, frames(this.node.inbound(), TrafficDirection.TO_CLIENT));
		return Mono.firstWithSignal(up, down, this.node.onDispose()).doFinally((end) -> this.node.dispose());
	}

	private static Mono<Void> send(NettyOutbound to, Flux<ByteBuf> bytes) {
		return to.send(bytes, (buffer) -> true).then();
	}

	private Flux<ByteBuf> frames(NettyInbound from, TrafficDirection way) {
		RespDecoder frames = new RespDecoder();
		return from.receive()
			.asByteArray()
			.concatMapIterable(frames::feed)
			.map((value) -> frame(value, way))
			.concatMap(this::pass)
			.map((frame) -> Unpooled.wrappedBuffer(frame.bytes()));
	}

	private RespMessage frame(RespDecoder.Value value, TrafficDirection way) {
		RedisCommand command = (way == TrafficDirection.TO_NODE) ? this.link.scripts().command(value.words())
				: this.unanswered.poll();
		return new RespMessage(way, value.bytes(), command, System.nanoTime());
	}

	private Mono<RespMessage> pass(RespMessage frame) {
		return through(frame, this.link.obstacles()).filter((passed) -> !isLost(passed.way()))
			.doOnNext(this::delivered)
			.switchIfEmpty(Mono.fromRunnable(() -> lose(frame.way())));
	}

	private static Mono<RespMessage> through(RespMessage frame, List<Obstacle> obstacles) {
		return obstacles.stream()
			.filter((obstacle) -> obstacle.isInTheWayOf(frame))
			.findFirst()
			.map((obstacle) -> obstacle.pass(frame))
			.orElseGet(() -> Mono.just(frame));
	}

	private void delivered(RespMessage frame) {
		if (frame.way() == TrafficDirection.TO_NODE && frame.command() != null) {
			this.unanswered.add(frame.command());
		}
	}

	private boolean isLost(TrafficDirection way) {
		return (way == TrafficDirection.TO_NODE) ? this.toNodeLost : this.toClientLost;
	}

	private void lose(TrafficDirection way) {
		if (way == TrafficDirection.TO_NODE) {
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
