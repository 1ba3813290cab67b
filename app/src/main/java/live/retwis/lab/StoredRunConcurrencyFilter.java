package live.retwis.lab;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import live.retwis.i18n.Message;
import live.retwis.web.FilterOrder;
import live.retwis.web.ProblemException;
import live.retwis.web.RateLimitAddress;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Bounds how many stored runs are rendered, or wait in memory for a slow client, at the
 * same time: one takes a fifth of a second of CPU and megabytes of memory. Beyond that
 * the answer is 503. One address has a quarter of the places at most.
 */
@ConditionalOnLab
@Order(FilterOrder.STORED_RUN_CONCURRENCY)
class StoredRunConcurrencyFilter implements WebFilter {

	static final int MOST = 8;

	static final int MOST_OF_AN_ADDRESS = 2;

	private static final PathPattern RUNS = PathPatternParser.defaultInstance.parse("/lab/runs/{*run}");

	private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

	private static final int RETRY_AFTER_SECONDS = 2;

	private final Semaphore open = new Semaphore(MOST);

	private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!READING.contains(exchange.getRequest().getMethod())
				|| !RUNS.matches(exchange.getRequest().getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		String address = RateLimitAddress.of(exchange);
		return take(address) ? chain.filter(exchange).doFinally((signal) -> giveBack(address))
				: ProblemException.later(Message.of("error.busy"), RETRY_AFTER_SECONDS);
	}

	private boolean take(String address) {
		if (this.byAddress.merge(address, 1, Integer::sum) <= MOST_OF_AN_ADDRESS && this.open.tryAcquire()) {
			return true;
		}
		leave(address);
		return false;
	}

	private void giveBack(String address) {
		this.open.release();
		leave(address);
	}

	private void leave(String address) {
		this.byAddress.computeIfPresent(address, (client, count) -> (count > 1) ? count - 1 : null);
	}

}
