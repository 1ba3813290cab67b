package live.retwis.web;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import live.retwis.logging.RareWarning;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.stereotype.Component;

/**
 * Counts the open connections of this instance, of each client address and of all
 * together, and closes one that is too many as soon as it is accepted. It belongs to the
 * socket that accepts connections, where each new connection is a message.
 */
@Component
@Sharable
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ConnectionLimit extends ChannelInboundHandlerAdapter {

	private final RareWarning warning = new RareWarning(LoggerFactory.getLogger(ConnectionLimit.class),
			"Too many connections: {} refused since the last such line, the latest from {}");

	private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

	private final AtomicInteger open = new AtomicInteger();

	private final int most;

	private final int mostByAddress;

	private final @Nullable TrustedProxies proxies;

	private final Counter refusedForAddress;

	private final Counter refusedForAll;

	ConnectionLimit(ServerLimitProperties properties, @Value("${retwis.limits.enabled:true}") boolean byAddress,
			ConnectionCapacity ceiling, ObjectProvider<TrustedProxies> proxies, MeterRegistry meters) {
		this.most = ceiling.connections();
		this.mostByAddress = byAddress ? properties.connectionsByAddress() : Integer.MAX_VALUE;
		this.proxies = proxies.getIfAvailable();
		this.refusedForAddress = refused(meters, "address");
		this.refusedForAll = refused(meters, "all");
		Gauge.builder("retwis.connections", this.open, AtomicInteger::get).register(meters);
	}

	private static Counter refused(MeterRegistry meters, String limit) {
		return meters.counter("retwis.connections.refused", "limit", limit);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof Channel connection && !isAccepted(connection)) {
			connection.unsafe().closeForcibly();
			return;
		}
		context.fireChannelRead(message);
	}

	private boolean isAccepted(Channel connection) {
		InetSocketAddress remote = (InetSocketAddress) connection.remoteAddress();
		String address = RateLimitAddress.of(remote);
		if (this.open.get() >= this.most) {
			return refuse(this.refusedForAll, address);
		}
		boolean counted = remote != null && !isProxy(remote);
		if (counted && this.byAddress.getOrDefault(address, 0) >= this.mostByAddress) {
			return refuse(this.refusedForAddress, address);
		}
		this.open.incrementAndGet();
		if (counted) {
			this.byAddress.merge(address, 1, Integer::sum);
		}
		connection.closeFuture().addListener((closed) -> {
			this.open.decrementAndGet();
			if (counted) {
				this.byAddress.computeIfPresent(address, (same, number) -> (number > 1) ? number - 1 : null);
			}
		});
		return true;
	}

	private boolean isProxy(InetSocketAddress remote) {
		return this.proxies != null && this.proxies.isTrusted(remote.getAddress());
	}

	private boolean refuse(Counter refused, String address) {
		refused.increment();
		this.warning.warn(address);
		return false;
	}

}
