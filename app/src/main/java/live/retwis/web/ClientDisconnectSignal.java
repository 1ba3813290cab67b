package live.retwis.web;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/** The connection of the client that gets an answer. */
public final class ClientDisconnectSignal {

	private ClientDisconnectSignal() {
	}

	/**
	 * Done when the connection, or the stream of an HTTP/2 connection, is closed. If that
	 * is before the answer has begun, nobody else cancels what it would send.
	 */
	public static Mono<Void> gone(ServerHttpResponse answer) {
		if (!(ServerHttpResponseDecorator.getNativeResponse(answer) instanceof Connection connection)) {
			return Mono.never();
		}
		ChannelFuture closed = connection.channel().closeFuture();
		return connection.channel().isActive() ? Mono.create((gone) -> {
			ChannelFutureListener listener = (done) -> gone.success();
			closed.addListener(listener);
			gone.onDispose(() -> closed.removeListener(listener));
		}) : Mono.empty();
	}

}
