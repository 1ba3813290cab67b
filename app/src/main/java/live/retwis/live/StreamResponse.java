package live.retwis.live;

import java.util.Optional;
import java.util.function.Function;

import live.retwis.web.ClientDisconnectSignal;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Builds the response that carries a stream, and reads the position from the request.
 */
public final class StreamResponse {

	private static final String LAST_EVENT_ID = "Last-Event-ID";

	private StreamResponse() {
	}

	/**
	 * The position of the reader: from the header that browsers send when they reconnect,
	 * otherwise from the page's {@code after} parameter.
	 */
	public static Optional<String> position(ServerRequest request) {
		return Optional.ofNullable(request.headers().firstHeader(LAST_EVENT_ID))
			.filter((id) -> !id.isEmpty())
			.or(() -> request.queryParam("after").filter((after) -> !after.isEmpty()));
	}

	/**
	 * A response with a stream and status 200. For HEAD it has only the headers.
	 * @param frames creates the events for the response that carries them
	 */
	public static Mono<ServerResponse> of(ServerRequest request, Function<ServerHttpResponse, Flux<byte[]>> frames) {
		ServerResponse.BodyBuilder response = ServerResponse.ok()
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.cacheControl(CacheControl.noStore())
			.header("X-Accel-Buffering", "no");
		return request.method().equals(HttpMethod.HEAD) ? response.build()
				: response.body((message, context) -> message.writeAndFlushWith(buffers(message.bufferFactory(),
						frames.apply(message).takeUntilOther(ClientDisconnectSignal.gone(message)))));
	}

	/** Wraps the bytes without copying them. Each part is flushed. */
	private static Flux<Publisher<DataBuffer>> buffers(DataBufferFactory factory, Flux<byte[]> frames) {
		return frames.map((frame) -> Mono.just(factory.wrap(frame)));
	}

}
