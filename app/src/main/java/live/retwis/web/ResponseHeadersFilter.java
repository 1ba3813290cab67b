package live.retwis.web;

import java.util.Map;

import live.retwis.logging.InstanceName;
import live.retwis.logging.RequestId;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.web.server.header.ContentSecurityPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ContentTypeOptionsServerHttpHeadersWriter;
import org.springframework.security.web.server.header.CrossOriginOpenerPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.CrossOriginResourcePolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.PermissionsPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.StrictTransportSecurityServerHttpHeadersWriter;
import org.springframework.security.web.server.header.XFrameOptionsServerHttpHeadersWriter;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/**
 * Sets the headers that every answer has: the name of this instance, so that one sees who
 * answered behind a load balancer, the number of the request, and the security headers.
 * While the instance stops, it also tells the client to close the connection. The headers
 * are set before the handler runs, so a handler can replace one, for example to let a
 * file be cached. Spring Security's own header writers set the same headers, but each of
 * them searches all headers of each answer.
 */
@Component
@Order(FilterOrder.RESPONSE_HEADERS)
class ResponseHeadersFilter implements WebFilter {

	private static final String INSTANCE = "X-Instance";

	/** Names the address of the reports for the header after it. */
	private static final String REPORTS = "csp";

	private static final Map<String, String> SECURITY = Map.of(HttpHeaders.CACHE_CONTROL, "no-store",
			ContentTypeOptionsServerHttpHeadersWriter.X_CONTENT_OPTIONS,
			ContentTypeOptionsServerHttpHeadersWriter.NOSNIFF, XFrameOptionsServerHttpHeadersWriter.X_FRAME_OPTIONS,
			"DENY", ReferrerPolicyServerHttpHeadersWriter.REFERRER_POLICY, "same-origin",
			ContentSecurityPolicyServerHttpHeadersWriter.CONTENT_SECURITY_POLICY,
			"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
					+ "report-uri " + CspReportHandler.PATH + "; report-to " + REPORTS,
			"Reporting-Endpoints", REPORTS + "=\"" + CspReportHandler.PATH + "\"",
			PermissionsPolicyServerHttpHeadersWriter.PERMISSIONS_POLICY,
			"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
			CrossOriginOpenerPolicyServerHttpHeadersWriter.OPENER_POLICY, "same-origin",
			CrossOriginResourcePolicyServerHttpHeadersWriter.RESOURCE_POLICY, "same-origin");

	/** One year. Browsers heed it over TLS only. */
	private static final String STRICT_TRANSPORT = "max-age=31536000";

	private final InstanceName instance;

	/**
	 * Whether request numbers of clients are accepted. If there are no trusted proxies
	 * they are not.
	 */
	private final boolean behindProxies;

	private volatile boolean closing;

	ResponseHeadersFilter(InstanceName instance, ObjectProvider<ForwardedHeaderTransformer> proxies) {
		this.instance = instance;
		this.behindProxies = proxies.getIfAvailable() != null;
	}

	/**
	 * A client whose connection is closed connects again, and reaches another instance.
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
		if (HostPrefixCookie.isOverTls(exchange.getRequest())) {
			headers.set(StrictTransportSecurityServerHttpHeadersWriter.STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
		}
		if (this.closing) {
			headers.setConnection("close");
		}
		return chain.filter(exchange);
	}

	private String requestId(ServerHttpRequest request) {
		String sent = this.behindProxies ? request.getHeaders().getFirst(RequestId.HEADER) : null;
		return (sent != null) ? sent : RequestId.fresh();
	}

}
