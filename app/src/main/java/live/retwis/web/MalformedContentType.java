package live.retwis.web;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Leaves out a {@code Content-Type} that Spring cannot read, such as one with a single
 * quotation mark. Spring fails with an error for the log before any filter runs.
 */
final class MalformedContentType implements HttpHandler {

	private final HttpHandler next;

	MalformedContentType(HttpHandler next) {
		this.next = next;
	}

	@Override
	public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
		return this.next.handle(
				isReadable(request.getHeaders()) ? request
						: request.mutate().headers((headers) -> headers.remove(HttpHeaders.CONTENT_TYPE)).build(),
				response);
	}

	private static boolean isReadable(HttpHeaders headers) {
		try {
			headers.getContentType();
			return true;
		}
		catch (InvalidMediaTypeException ex) {
			// Spring knows this error.
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
