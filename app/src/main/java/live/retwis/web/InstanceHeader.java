package live.retwis.web;

import java.net.InetAddress;
import java.net.UnknownHostException;

import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Names this instance in every answer, so that one sees who served behind a load
 * balancer.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class InstanceHeader implements WebFilter {

	private static final String HEADER = "X-Instance";

	private volatile String name;

	private final boolean given;

	InstanceHeader(@Value("${retwis.instance:}") String instance, @Value("${server.port:8080}") int port) {
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
		exchange.getResponse().getHeaders().set(HEADER, this.name);
		return chain.filter(exchange);
	}

}
