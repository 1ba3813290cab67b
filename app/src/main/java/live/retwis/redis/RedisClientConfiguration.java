package live.retwis.redis;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;

import javax.net.ssl.TrustManagerFactory;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.resource.Delay;

import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * How the Redis client behaves when the data node is away: commands fail at once, and it
 * looks for the node several times a second until it is back.
 */
@Configuration(proxyBeanMethods = false)
class RedisClientConfiguration {

	/**
	 * The client's own default grows to 30 s, which is how long every page would stay
	 * down.
	 */
	private static final Duration RECONNECT_DELAY = Duration.ofMillis(250);

	private static final Duration TOPOLOGY_DELAY = Duration.ofSeconds(1);

	@Bean
	LettuceClientOptionsBuilderCustomizer failWhileDisconnected() {
		return (options) -> options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
	}

	/**
	 * Asks a Redis Cluster for its new masters as often as the client reconnects in vain
	 * or is sent elsewhere: its own limit of once in 5 s would add as long to each
	 * fail-over. Masters that the others have given up are left out; without that the
	 * client counts them in when it walks through all masters, and knocks at their doors
	 * for good.
	 */
	@Bean
	LettuceClientOptionsBuilderCustomizer followTheClusterSoon() {
		return (options) -> {
			if (options instanceof ClusterClientOptions.Builder cluster) {
				ClusterTopologyRefreshOptions own = cluster.build().getTopologyRefreshOptions();
				cluster
					.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
						.dynamicRefreshSources(own.useDynamicRefreshSources())
						.enablePeriodicRefresh(own.isPeriodicRefreshEnabled())
						.refreshPeriod(own.getRefreshPeriod())
						.enableAllAdaptiveRefreshTriggers()
						.adaptiveRefreshTriggersTimeout(TOPOLOGY_DELAY)
						.build())
					.nodeFilter((node) -> !node.is(NodeFlag.FAIL) && !node.is(NodeFlag.NOADDR));
			}
		};
	}

	/**
	 * Without a bundle the JVM's trust store counts, which is read here: the client would
	 * read it on an event loop, at each connect.
	 */
	@Bean
	LettuceClientOptionsBuilderCustomizer trustWhomTheJvmTrusts(Environment settings) throws GeneralSecurityException {
		boolean tls = settings.getProperty("spring.data.redis.ssl.enabled", Boolean.class, false)
				|| settings.getProperty("spring.data.redis.url", "").startsWith("rediss:");
		if (!tls || settings.containsProperty("spring.data.redis.ssl.bundle")) {
			return (options) -> {
			};
		}
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init((KeyStore) null);
		return (options) -> options.sslOptions(SslOptions.builder().jdkSslProvider().trustManager(trust).build());
	}

	@Bean
	ClientResourcesBuilderCustomizer reconnectSoon() {
		return (resources) -> resources.reconnectDelay(Delay.constant(RECONNECT_DELAY));
	}

}
