package live.retwis.web;

import live.retwis.logging.LogSanitizer;
import live.retwis.logging.RequestId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Logs the errors of the program, with the path of the request and not with its query,
 * which may have a secret. Behind the filters, Spring adds the query to the stack trace.
 * So this is a filter.
 */
@Component
@Order(FilterOrder.ERROR_LOG)
class ErrorLogFilter implements WebFilter {

	private static final Logger log = LoggerFactory.getLogger(ErrorLogFilter.class);

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter(exchange)
			.doOnError(ErrorResponder::isOurs,
					(error) -> RequestId.in(log.atError(), exchange.getResponse())
						.setCause(error)
						.log("{} {} failed", exchange.getRequest().getMethod(),
								LogSanitizer.printable(exchange.getRequest().getPath().value())));
	}

}
