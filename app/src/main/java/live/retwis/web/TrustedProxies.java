package live.retwis.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import live.retwis.logging.RareWarning;
import live.retwis.logging.RequestId;
import live.retwis.startup.StartupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/**
 * Accepts what the proxies of {@code retwis.proxies} tell about a request: the client's
 * address ({@code X-Forwarded-For}), whether the client used TLS ({@code
 * X-Forwarded-Proto}) and the number of the request ({@code X-Request-Id}). If the
 * proxies name a chain of addresses, the client is the last one that is not a trusted
 * proxy. The addresses before it may be an invention of the client. Other headers of this
 * kind are removed, because a proxy passes on those that it does not set itself.
 */
final class TrustedProxies extends ForwardedHeaderTransformer {

	private static final String FOR = "X-Forwarded-For";

	private static final String PROTO = "X-Forwarded-Proto";

	private static final List<String> HEADERS = List.of("Forwarded", FOR, PROTO, "X-Forwarded-Host", "X-Forwarded-Port",
			"X-Forwarded-Prefix", "X-Forwarded-Ssl", RequestId.HEADER);

	/**
	 * TLS ended at the proxy, so its details are unknown. An object is needed all the
	 * same: with it the request counts as secure, and cookies are marked {@code Secure}.
	 */
	private static final SslInfo AT_PROXY = new SslInfo() {

		@Override
		public @Nullable String getSessionId() {
			return null;
		}

		@Override
		public X509Certificate @Nullable [] getPeerCertificates() {
			return null;
		}

	};

	/** Some proxies add the client's port. */
	private static final Pattern WITH_PORT = Pattern.compile("(\\[.*\\]|[^:]*):\\d+");

	private final RareWarning warning = new RareWarning(LoggerFactory.getLogger(TrustedProxies.class),
			"X-Forwarded-For of a proxy cannot be read, so its clients count as one: {} times since the last such "
					+ "line, the latest from {}");

	private final List<IpSubnetFilterRule> networks;

	/**
	 * Reads the networks of the proxies.
	 * @param networks such as {@code 10.0.0.0/8}, {@code fd00::/8} or a single address
	 * @throws StartupException when one cannot be read
	 */
	TrustedProxies(List<String> networks) {
		this.networks = networks.stream().map(TrustedProxies::network).toList();
	}

	private static IpSubnetFilterRule network(String text) {
		String[] parts = text.strip().split("/", 2);
		InetAddress address = NetUtil.createInetAddressFromIpAddressString(parts[0]);
		if (address != null) {
			int longest = address.getAddress().length * Byte.SIZE;
			int length = (parts.length == 1) ? longest : length(parts[1]);
			if (length >= 0 && length <= longest) {
				return new IpSubnetFilterRule(address, length, IpFilterRuleType.ACCEPT);
			}
		}
		throw new StartupException("retwis.proxies: '" + text + "' is not a network",
				"Write a network as 10.0.0.0/8 or fd00::/8, and a single address without a slash.");
	}

	private static int length(String text) {
		try {
			return Integer.parseInt(text);
		}
		catch (NumberFormatException ex) {
			return -1;
		}
	}

	@Override
	public ServerHttpRequest apply(ServerHttpRequest request) {
		if (HEADERS.stream().noneMatch(request.getHeaders()::containsHeader)) {
			return request;
		}
		ServerHttpRequest.Builder believed = request.mutate().headers((headers) -> HEADERS.forEach(headers::remove));
		InetSocketAddress proxy = request.getRemoteAddress();
		if (proxy != null && proxy.getAddress() != null && isTrusted(proxy.getAddress())) {
			InetAddress client = client(proxy.getAddress(), request.getHeaders());
			if (!client.equals(proxy.getAddress())) {
				believed.remoteAddress(new InetSocketAddress(client, 0));
			}
			if ("https".equalsIgnoreCase(request.getHeaders().getFirst(PROTO))) {
				believed.uri(overTls(request.getURI())).sslInfo(AT_PROXY);
			}
			String id = request.getHeaders().getFirst(RequestId.HEADER);
			if (id != null && RequestId.isSound(id)) {
				believed.header(RequestId.HEADER, id);
			}
		}
		return believed.build();
	}

	/**
	 * The same address over TLS. A builder of addresses would refuse characters that the
	 * server has accepted, such as brackets in the query.
	 */
	private static URI overTls(URI address) {
		return URI.create(address.toString().replaceFirst("^http:", "https:"));
	}

	/** The client's address; the proxy's when it did not send one that can be read. */
	private InetAddress client(InetAddress proxy, HttpHeaders headers) {
		List<String> chain = headers.getOrDefault(FOR, List.of())
			.stream()
			.flatMap((line) -> Arrays.stream(line.split(",")))
			.map(String::strip)
			.toList();
		InetAddress client = proxy;
		for (int i = chain.size() - 1; i >= 0 && isTrusted(client); i--) {
			Matcher withPort = WITH_PORT.matcher(chain.get(i));
			InetAddress one = NetUtil
				.createInetAddressFromIpAddressString(withPort.matches() ? withPort.group(1) : chain.get(i));
			if (one == null) {
				this.warning.warn(client.getHostAddress());
				return client;
			}
			client = one;
		}
		return client;
	}

	/** Whether this is the address of a proxy that is believed. */
	boolean isTrusted(InetAddress address) {
		return this.networks.stream().anyMatch((network) -> network.matches(new InetSocketAddress(address, 0)));
	}

}
