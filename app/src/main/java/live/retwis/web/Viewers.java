package live.retwis.web;

import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Tells who sent a request.
 */
public interface Viewers {

	/**
	 * The signed-in user; empty when nobody is signed in, or when the session cookie is
	 * malformed or no longer valid.
	 */
	Mono<Viewer> of(ServerWebExchange exchange);

	/**
	 * The same, before the request is handled. Whoever asks next gets this answer without
	 * another round trip.
	 */
	Mono<Viewer> ahead(ServerWebExchange exchange);

}
