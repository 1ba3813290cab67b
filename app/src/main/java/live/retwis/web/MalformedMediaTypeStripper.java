package live.retwis.web;

import java.util.List;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Leaves out the headers {@code Accept} and {@code Content-Type} of a request when Spring
 * fails to read them, as it does with an odd quotation mark. Each would be an error in
 * the log, that of {@code Content-Type} before any filter runs. What Spring knows to be
 * malformed stays.
 */
final class MalformedMediaTypeStripper implements HttpHandler {

	private final HttpHandler next;

	MalformedMediaTypeStripper(HttpHandler next) {
		this.next = next;
	}

	@Override
	public Mono<Void> handle(ServerHttpRequest request, ServerHttpResponse response) {
		HttpHeaders headers = request.getHeaders();
		boolean accept = isReadable(headers, HttpHeaders.ACCEPT, headers::getAccept);
		boolean content = isReadable(headers, HttpHeaders.CONTENT_TYPE, headers::getContentType);
		return this.next.handle((accept && content) ? request : request.mutate().headers((kept) -> {
			if (!accept) {
				kept.remove(HttpHeaders.ACCEPT);
			}
			if (!content) {
				kept.remove(HttpHeaders.CONTENT_TYPE);
			}
		}).build(), response);
	}

	/** Hardly any request has a quotation mark there, so it costs others nothing. */
	private static boolean isReadable(HttpHeaders headers, String name, Supplier<?> value) {
		if (headers.getOrDefault(name, List.of()).stream().noneMatch((text) -> text.indexOf('"') >= 0)) {
			return true;
		}
		try {
			value.get();
			return true;
		}
		catch (InvalidMediaTypeException ex) {
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
