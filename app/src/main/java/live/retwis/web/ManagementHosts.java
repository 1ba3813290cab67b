package live.retwis.web;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

import io.netty.util.NetUtil;
import live.retwis.logging.ForeignText;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets the port for operations answer only if it is asked by a name of its own. A page of
 * any site could otherwise read it through the browser of an operator: it changes the
 * address of its own name to that of this machine (DNS rebinding). The browser then still
 * names the page's host. A health check that names no host is answered.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class ManagementHosts implements WebFilter {

	private static final HttpStatusCode MISDIRECTED = HttpStatusCode.valueOf(421);

	private final Set<String> own = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

	ManagementHosts(ProtectionProperties properties, @Value("${management.server.address:}") String address) {
		properties.managementHosts().forEach((host) -> this.own.add(host.strip().toLowerCase(Locale.ROOT)));
		this.own.add(address.contains(":") ? "[" + address + "]" : address);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!WebServerApplicationContext.hasServerNamespace(exchange.getApplicationContext(), "management")) {
			return chain.filter(exchange);
		}
		String asked = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
		String host = (asked != null) ? asked.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT) : "localhost";
		return (this.own.contains(host) || host.equals(reached(exchange.getRequest()))) ? chain.filter(exchange)
				: refuse(exchange.getResponse(), host);
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

	private static Mono<Void> refuse(ServerHttpResponse response, String host) {
		byte[] text = ("This port is not asked as " + ForeignText.printable(host)
				+ ". If it should be, add that to retwis.management-hosts.\n")
			.getBytes(StandardCharsets.US_ASCII);
		response.setStatusCode(MISDIRECTED);
		response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
		response.getHeaders().setContentLength(text.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(text)));
	}

}
