package live.retwis.web;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Sets the limits of connections at the site's server. The server of the management port
 * has none, so that an operator can look at an overloaded instance.
 */
@Component
@ConditionalOnWebApplication(type = Type.REACTIVE)
class WebServerLimitsCustomizer implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final ServerLimitProperties properties;

	private final ConnectionLimit limit;

	/**
	 * How long an HTTP/2 connection may be quiet. A stream on it is not, because it has
	 * heartbeats.
	 */
	private final Duration quiet;

	WebServerLimitsCustomizer(ServerLimitProperties properties, HeartbeatProperties heartbeat, ConnectionLimit limit) {
		this.properties = properties;
		this.limit = limit;
		this.quiet = Collections.max(List.of(properties.idleTimeout(), heartbeat.heartbeat().multipliedBy(2)));
	}

	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		factory.addServerCustomizers((server) -> server
			.doOnChannelInit(
					(observer, channel, remote) -> ConnectionTimeouts.watch(channel, this.properties, this.quiet))
			.doOnBound((bound) -> bound.channel().pipeline().addFirst(this.limit)));
	}

}
