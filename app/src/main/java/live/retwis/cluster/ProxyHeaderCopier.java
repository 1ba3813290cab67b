package live.retwis.cluster;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Passes headers on. Those that are about one connection only are left out (RFC 9110,
 * section 7.6.1). What the client says about itself as a proxy would is replaced by what
 * is known.
 */
final class ProxyHeaderCopier {

	/** These belong to one connection. */
	private static final Set<String> HOP_BY_HOP = Set.of("connection", "keep-alive", "proxy-connection",
			"proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "expect");

	/** Instances believe these when the load balancer sends them. */
	private static final Set<String> CLAIMS = Set.of("forwarded", "x-forwarded-for", "x-forwarded-proto",
			"x-forwarded-host", "x-forwarded-port", "x-forwarded-prefix", "x-forwarded-ssl", "x-request-id");

	private ProxyHeaderCopier() {
	}

	/** Copies the headers of a request. {@code Host} stays what the client asked for. */
	static void request(HttpHeaders from, HttpHeaders to, @Nullable InetSocketAddress client) {
		copy(from, to, CLAIMS);
		if (client != null && client.getAddress() != null) {
			to.set("X-Forwarded-For", client.getAddress().getHostAddress());
		}
		to.set("X-Forwarded-Proto", "http");
	}

	/** Copies the headers of an answer. */
	static void answer(HttpHeaders from, HttpHeaders to) {
		copy(from, to, Set.of());
	}

	private static void copy(HttpHeaders from, HttpHeaders to, Set<String> without) {
		Set<String> left = new HashSet<>(HOP_BY_HOP);
		left.addAll(without);
		from.getAll(HttpHeaderNames.CONNECTION)
			.stream()
			.flatMap((line) -> Arrays.stream(line.split(",")))
			.map((name) -> name.strip().toLowerCase(Locale.ROOT))
			.forEach(left::add);
		from.names()
			.stream()
			.filter((name) -> !left.contains(name.toLowerCase(Locale.ROOT)))
			.forEach((name) -> to.set(name, from.getAll(name)));
	}

}
