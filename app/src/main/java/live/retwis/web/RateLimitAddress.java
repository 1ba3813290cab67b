package live.retwis.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;

import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

import org.springframework.web.server.ServerWebExchange;

/**
 * The address under which a client is counted. One customer of a provider usually has a
 * whole {@code /64} of IPv6 addresses and can use a new one for each request, so all of
 * them count as one. An IPv4 address inside an IPv6 address ({@code ::ffff:203.0.113.7})
 * counts as IPv4.
 */
public final class RateLimitAddress {

	/** Bytes of the network in an IPv6 address. */
	private static final int NETWORK = 8;

	/** Bytes before an IPv4 address inside an IPv6 address: ten zeros and two of 255. */
	private static final byte[] MAPPED = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1 };

	private static final int IPV6_BYTES = 16;

	private RateLimitAddress() {
	}

	/**
	 * The address of the client that sent the request. Behind a load balancer it is the
	 * one that {@link TrustedProxies} believes.
	 * @return such as {@code 203.0.113.7} or {@code 2001:db8:0:1::/64}; {@code unknown}
	 * when the connection is closed already
	 */
	public static String of(ServerWebExchange exchange) {
		return of(exchange.getRequest().getRemoteAddress());
	}

	static String of(@Nullable InetSocketAddress remote) {
		return (remote != null && remote.getAddress() != null) ? of(remote.getAddress()) : "unknown";
	}

	private static String of(InetAddress address) {
		byte[] bytes = address.getAddress();
		if (bytes.length != IPV6_BYTES) {
			return address.getHostAddress();
		}
		if (Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
			return NetUtil.bytesToIpAddress(bytes, MAPPED.length, bytes.length - MAPPED.length);
		}
		byte[] network = Arrays.copyOf(Arrays.copyOf(bytes, NETWORK), bytes.length);
		return NetUtil.bytesToIpAddress(network) + "/64";
	}

	/** The address that the context of a page or a form names. */
	public static Optional<String> in(ContextView context) {
		return context.getOrEmpty(RateLimitAddress.class);
	}

}
