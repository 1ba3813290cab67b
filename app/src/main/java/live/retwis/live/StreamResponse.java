package live.retwis.live;

import java.util.Optional;
import java.util.function.Function;

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
 * The answer that carries a stream, and the question that asks for one.
 */
public final class StreamResponse {

	private static final String LAST_EVENT_ID = "Last-Event-ID";

	private StreamResponse() {
	}

	/**
	 * Where the reader is: what the browser sends when it comes back, else what the page
	 * said.
	 */
	public static Optional<String> position(ServerRequest request) {
		return Optional.ofNullable(request.headers().firstHeader(LAST_EVENT_ID))
			.filter((id) -> !id.isEmpty())
			.or(() -> request.queryParam("after").filter((after) -> !after.isEmpty()));
	}

	/**
	 * A stream, 200; to HEAD only its headers.
	 * @param frames makes the events for the answer that carries them
	 */
	public static Mono<ServerResponse> of(ServerRequest request, Function<ServerHttpResponse, Flux<byte[]>> frames) {
		ServerResponse.BodyBuilder response = ServerResponse.ok()
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.cacheControl(CacheControl.noStore())
			.header("X-Accel-Buffering", "no");
		return request.method().equals(HttpMethod.HEAD) ? response.build() : response.body((message, context) -> message
			.writeAndFlushWith(buffers(message.bufferFactory(), frames.apply(message))));
	}

	/** The bytes are wrapped, not copied; each part is flushed. */
	private static Flux<Publisher<DataBuffer>> buffers(DataBufferFactory factory, Flux<byte[]> frames) {
		return frames.map((frame) -> Mono.just(factory.wrap(frame)));
	}

}
