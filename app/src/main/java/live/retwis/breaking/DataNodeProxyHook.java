package live.retwis.breaking;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.stream.Collectors;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import live.retwis.redis.DataNodeChannelCustomizer;

/**
 * Sends connections to a data node through the proxy that the program has put before it.
 * Sentinel and Redis Cluster tell the addresses of the nodes themselves, so the address
 * is changed at the last moment.
 */
@ConditionalOnClusterControl
class DataNodeProxyHook implements DataNodeChannelCustomizer {

	private final Map<Integer, Integer> proxies;

	DataNodeProxyHook(ClusterControlProperties properties) {
		this.proxies = properties.links()
			.stream()
			.map((pair) -> pair.split(":"))
			.collect(Collectors.toUnmodifiableMap((pair) -> Integer.valueOf(pair[0]),
					(pair) -> Integer.valueOf(pair[1])));
	}

	@Override
	public void prepare(Channel connection) {
		connection.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {

			@Override
			public void connect(ChannelHandlerContext context, SocketAddress remote, SocketAddress local,
					ChannelPromise promise) {
				context.connect(mapped(remote), local, promise);
			}

		});
	}

	private SocketAddress mapped(SocketAddress remote) {
		return (remote instanceof InetSocketAddress node && this.proxies.containsKey(node.getPort()))
				? new InetSocketAddress(node.getAddress(), this.proxies.get(node.getPort())) : remote;
	}

}
