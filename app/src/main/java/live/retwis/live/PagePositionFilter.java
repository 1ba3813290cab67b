package live.retwis.live;

import live.retwis.log.InstanceLogPosition;
import live.retwis.web.FilterOrder;
import live.retwis.web.PageFrames;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Notes the position of the log before anything is read for a page. A stream that begins
 * there tells the page of all that it does not show yet.
 */
@Component
@Order(FilterOrder.PAGE_POSITION)
class PagePositionFilter implements WebFilter {

	private final InstanceLogPosition heard;

	PagePositionFilter(InstanceLogPosition heard) {
		this.heard = heard;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		this.heard.known().ifPresent((position) -> PageFrames.readAfter(exchange, position.toString()));
		return chain.filter(exchange);
	}

}
