package live.retwis.web;

import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Tells who sent a request.
 */
public interface Viewers {

	/**
	 * The signed-in user; empty when there is none. A cookie that is malformed or over
	 * counts as none.
	 */
	Mono<Viewer> of(ServerWebExchange exchange);

}
