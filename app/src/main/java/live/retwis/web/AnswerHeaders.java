package live.retwis.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.server.header.ContentSecurityPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ContentTypeOptionsServerHttpHeadersWriter;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter;
import org.springframework.security.web.server.header.StrictTransportSecurityServerHttpHeadersWriter;
import org.springframework.security.web.server.header.XFrameOptionsServerHttpHeadersWriter;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * What every answer carries: the name of this instance, so that one sees who served
 * behind a load balancer, and what the browser may do with the answer. Set as the request
 * comes, so that a handler may say something else, such as how long a file may be kept.
 * Spring Security's writers set the same, each by a look through all headers as the
 * answer begins.
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

	private volatile String name;

	private final boolean given;

	AnswerHeaders(@Value("${retwis.instance:}") String instance, @Value("${server.port:8080}") int port) {
		this.given = !instance.isBlank();
		this.name = this.given ? instance : host() + ":" + port;
	}

	/** A port of 0 is chosen when the server starts. */
	@EventListener
	void serverStarted(WebServerInitializedEvent event) {
		if (!this.given && event.getApplicationContext().getServerNamespace() == null) {
			this.name = host() + ":" + event.getWebServer().getPort();
		}
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HttpHeaders headers = exchange.getResponse().getHeaders();
		headers.set(INSTANCE, this.name);
		SECURITY.forEach(headers::set);
		if ("https".equals(exchange.getRequest().getURI().getScheme())) {
			headers.set(StrictTransportSecurityServerHttpHeadersWriter.STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
		}
		return chain.filter(exchange);
	}

}
