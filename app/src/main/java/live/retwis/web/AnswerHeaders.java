package live.retwis.web;

import java.util.Map;

import live.retwis.logging.InstanceName;
import live.retwis.logging.RequestId;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.web.server.header.ContentSecurityPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ContentTypeOptionsServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.StrictTransportSecurityServerHttpHeadersWriter;
import org.springframework.security.web.server.header.XFrameOptionsServerHttpHeadersWriter;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/**
 * What every answer carries: the name of this instance, so that one sees who served
 * behind a load balancer, the number of the request, and what the browser may do with the
 * answer; while the instance stops, also that the connection is not to be used again. Set
 * as the request comes, so that a handler may say something else, such as how long a file
 * may be kept. Spring Security's writers set the same, each by a look through all headers
 * as the answer begins.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class AnswerHeaders implements WebFilter {

	private static final String INSTANCE = "X-Instance";

	private static final Map<String, String> SECURITY = Map.of(HttpHeaders.CACHE_CONTROL, "no-store",
			ContentTypeOptionsServerHttpHeadersWriter.X_CONTENT_OPTIONS,
			ContentTypeOptionsServerHttpHeadersWriter.NOSNIFF, XFrameOptionsServerHttpHeadersWriter.X_FRAME_OPTIONS,
			"DENY", ReferrerPolicyServerHttpHeadersWriter.REFERRER_POLICY, "same-origin",
			ContentSecurityPolicyServerHttpHeadersWriter.CONTENT_SECURITY_POLICY,
			"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'");

	/** A year; means something only over TLS. */
	private static final String STRICT_TRANSPORT = "max-age=31536000 ; includeSubDomains";

	private final InstanceName instance;

	/** Whether requests carry numbers that are believed; others have lost theirs. */
	private final boolean behindProxies;

	private volatile boolean closing;

	AnswerHeaders(InstanceName instance, ObjectProvider<ForwardedHeaderTransformer> proxies) {
		this.instance = instance;
		this.behindProxies = proxies.getIfAvailable() != null;
	}

	/**
	 * An instance that stops wants its clients to connect again, and so to another one.
	 */
	@EventListener
	void readinessChanged(AvailabilityChangeEvent<ReadinessState> event) {
		this.closing = event.getState() == ReadinessState.REFUSING_TRAFFIC;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set(INSTANCE, this.instance.toString());
		headers.set(RequestId.HEADER, requestId(exchange.getRequest()));
		SECURITY.forEach(headers::set);
		if ("https".equals(exchange.getRequest().getURI().getScheme())) {
			headers.set(StrictTransportSecurityServerHttpHeadersWriter.STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
		}
		if (this.closing) {
			headers.setConnection("close");
		}
		return chain.filter(exchange);
	}

	private String requestId(ServerHttpRequest request) {
		String told = this.behindProxies ? request.getHeaders().getFirst(RequestId.HEADER) : null;
		return (told != null) ? told : RequestId.fresh();
	}

}
