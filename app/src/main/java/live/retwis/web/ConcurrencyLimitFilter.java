package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.i18n.Message;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Bounds the requests in work, so that an overloaded instance refuses quickly what it
 * could only answer late, and recovers by itself. Pages, forms and streams that are being
 * opened are counted apart: a crowd of one kind does not shut out the others. A request
 * is in work until its answer begins, so slow readers do not count. A form is in work
 * once it has been read, so slow senders do not count.
 */
@Component
@Order(FilterOrder.CONCURRENCY_LIMIT)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ConcurrencyLimitFilter implements WebFilter {

	private static final int RETRY_AFTER_SECONDS = 2;

	/** A stream that is refused comes back after 1 to 5 s. */
	private static final int SHORTEST_RETRY_MILLIS = 1_000;

	private static final int LONGEST_RETRY_MILLIS = 5_000;

	private final ApplicationContext site;

	private final Semaphore pages;

	private final Semaphore forms;

	private final Semaphore streams;

	private final Counter refused;

	ConcurrencyLimitFilter(ServerLimitProperties properties, @Value("${retwis.limits.enabled:true}") boolean enabled,
			ApplicationContext site, MeterRegistry meters) {
		int most = enabled ? properties.requests() : Integer.MAX_VALUE;
		this.site = site;
		this.pages = new Semaphore(most);
		this.forms = new Semaphore(most);
		this.streams = new Semaphore(most);
		this.refused = meters.counter("retwis.requests.refused");
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (exchange.getApplicationContext() != this.site) {
			// A request of the management port.
			return chain.filter(exchange);
		}
		Semaphore kind = kind(exchange.getRequest());
		if (!kind.tryAcquire()) {
			this.refused.increment();
			return (kind == this.streams) ? comeBack(exchange.getResponse())
					: ProblemException.later(Message.of("error.busy"), RETRY_AFTER_SECONDS);
		}
		AtomicBoolean done = new AtomicBoolean();
		Runnable end = () -> {
			if (done.compareAndSet(false, true)) {
				kind.release();
			}
		};
		exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(end));
		return chain.filter(exchange).doFinally((signal) -> end.run());
	}

	private Semaphore kind(ServerHttpRequest request) {
		if (request.getMethod().equals(HttpMethod.POST)) {
			return this.forms;
		}
		return request.getPath().value().startsWith("/live/") ? this.streams : this.pages;
	}

	/** A browser gives up a stream for good on any status but 200. */
	private static Mono<Void> comeBack(ServerHttpResponse response) {
		int retry = ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS);
		response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
		return response.writeWith(Mono
			.just(response.bufferFactory().wrap(("retry: " + retry + "\n\n").getBytes(StandardCharsets.US_ASCII))));
	}

}
