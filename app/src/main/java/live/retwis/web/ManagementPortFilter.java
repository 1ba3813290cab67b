package live.retwis.web;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

import io.netty.util.NetUtil;
import live.retwis.logging.LogSanitizer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets the port for operations answer for its endpoints alone, and only if it is asked by
 * a name of its own. Spring would answer every page of the site there, too, past the
 * limits of the site's port. And a page of any site could read it through the browser of
 * an operator: it changes the address of its own name to that of this machine (DNS
 * rebinding). The browser then still names the page's host. A health check that names no
 * host is answered.
 */
@Component
@Order(FilterOrder.MANAGEMENT_PORT)
class ManagementPortFilter implements WebFilter {

	private final Set<String> own = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

	/** What the paths of all endpoints begin with. */
	private final String endpoints;

	ManagementPortFilter(SiteSecurityProperties properties, @Value("${management.server.address:}") String address,
			@Value("${management.endpoints.web.base-path:/actuator}") String endpoints) {
		properties.managementHosts().forEach((host) -> this.own.add(host.strip().toLowerCase(Locale.ROOT)));
		this.own.add(address.contains(":") ? "[" + address + "]" : address);
		this.endpoints = endpoints;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!WebServerApplicationContext.hasServerNamespace(exchange.getApplicationContext(), "management")) {
			return chain.filter(exchange);
		}
		String asked = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
		String host = (asked != null) ? asked.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT) : "localhost";
		if (!this.own.contains(host) && !host.equals(reached(exchange.getRequest()))) {
			return refuse(exchange.getResponse(), HttpStatus.MISDIRECTED_REQUEST, "This port is not asked as "
					+ LogSanitizer.printable(host) + ". If it should be, add that to retwis.management-hosts.\n");
		}
		return exchange.getRequest().getPath().pathWithinApplication().value().startsWith(this.endpoints)
				? chain.filter(exchange) : refuse(exchange.getResponse(), HttpStatus.NOT_FOUND,
						"This port only has " + this.endpoints + ". Pages are at the port of the site.\n");
	}

	/** The address of this machine that the request came to. */
	private static @Nullable String reached(ServerHttpRequest request) {
		InetSocketAddress local = request.getLocalAddress();
		if (local == null || local.getAddress() == null) {
			return null;
		}
		String address = NetUtil.toAddressString(local.getAddress());
		return address.contains(":") ? "[" + address + "]" : address;
	}

	private static Mono<Void> refuse(ServerHttpResponse response, HttpStatusCode status, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
		response.setStatusCode(status);
		response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
		response.getHeaders().setContentLength(bytes.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
	}

}
