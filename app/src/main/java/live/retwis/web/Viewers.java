package live.retwis.web;

import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Tells who sent a request.
 */
public interface Viewers {

	/**
	 * The signed-in user; empty when nobody is signed in, or when the session cookie is
	 * malformed or no longer valid. Of the sender of a form, the number of unread
	 * notifications is not known.
	 */
	Mono<Viewer> of(ServerWebExchange exchange);

	/**
	 * The same viewer with the number of unread notifications, if that can be read.
	 */
	Mono<Viewer> withUnread(Viewer viewer);

	/**
	 * The secret of the request's session, which only the browser and this site know;
	 * empty without a session. The session may be over.
	 */
	Optional<String> sessionSecret(ServerWebExchange exchange);

	/**
	 * The same as {@link #of}, before the request is handled. Whoever asks next gets this
	 * answer without another round trip.
	 */
	Mono<Viewer> ahead(ServerWebExchange exchange);

}
