package live.retwis.lab;

import java.util.concurrent.Semaphore;

import live.retwis.i18n.Message;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Bounds how many stored runs are rendered at the same time, because one takes a fifth of
 * a second of CPU and megabytes of memory. Beyond that the answer is 503. An answer that
 * is rendered waits for its client in memory. The limits of connections and of
 * {@code lab-runs} bound these.
 */
@ConditionalOnLab
@Order(Ordered.LOWEST_PRECEDENCE)
class StoredRunConcurrencyFilter implements WebFilter {

	static final int MOST = 8;

	private static final PathPattern RUNS = PathPatternParser.defaultInstance.parse("/lab/runs/{*run}");

	private static final int RETRY_AFTER_SECONDS = 2;

	private final Semaphore open = new Semaphore(MOST);

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!RUNS.matches(exchange.getRequest().getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		return this.open.tryAcquire() ? chain.filter(exchange).doFinally((signal) -> this.open.release())
				: ProblemException.later(Message.of("error.busy"), RETRY_AFTER_SECONDS);
	}

}
