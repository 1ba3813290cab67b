package live.retwis.redis;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.resource.Delay;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/**
 * How the Redis client behaves while the data node is away: commands fail at once, and
 * the client tries to reconnect several times a second.
 */
@Configuration(proxyBeanMethods = false)
class RedisClientConfiguration {

	/**
	 * The client's default delay grows to 30 s, and every page would stay down that long.
	 */
	private static final Duration RECONNECT_DELAY = Duration.ofMillis(250);

	private static final Duration TOPOLOGY_DELAY = Duration.ofSeconds(1);

	@Bean
	LettuceClientOptionsBuilderCustomizer failWhileDisconnected() {
		return (options) -> options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
	}

	/**
	 * Asks a Redis Cluster for its current masters whenever the client fails to reconnect
	 * or is redirected. The client's default asks at most once in 5 s, which would make
	 * each fail-over up to 5 s longer. Nodes that the cluster has marked as failed are
	 * left out. Otherwise the client would include them when it visits all masters, and
	 * would try to connect to them forever.
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
	 * Without an SSL bundle the JVM's trust store applies. It is read here, because the
	 * client would read it on an event loop at each connect.
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

	/**
	 * Lets requests record their commands. Without the setting there is no tracing at
	 * all.
	 */
	@Bean
	@ConditionalOnProperty("retwis.xray.enabled")
	ClientResourcesBuilderCustomizer recordCommands() {
		return (resources) -> resources.tracing(new CommandTracing());
	}

	@Bean
	@ConditionalOnProperty("retwis.xray.enabled")
	DataNodeChannelCustomizer recordAnswerTimes() {
		return (connection) -> connection.pipeline().addFirst(new ReplyTimestamps());
	}

	@Bean
	ReactiveStringRedisTemplate reactiveStringRedisTemplate(LettuceConnectionFactory factory, DataNodeCommands data) {
		return new ReactiveStringRedisTemplate(new OpenConnection(factory, data));
	}

	/**
	 * The template's connection, as soon as {@link DataNodeCommands} has opened it.
	 * Before that, commands fail at once. Otherwise they would open it themselves, and
	 * would block an event loop.
	 */
	private record OpenConnection(LettuceConnectionFactory factory,
			DataNodeCommands data) implements ReactiveRedisConnectionFactory {

		@Override
		public ReactiveRedisConnection getReactiveConnection() {
			return opened().getReactiveConnection();
		}

		@Override
		public ReactiveRedisClusterConnection getReactiveClusterConnection() {
			return opened().getReactiveClusterConnection();
		}

		private LettuceConnectionFactory opened() {
			if (!this.data.isOpen() || !this.factory.isRunning()) {
				throw new RedisConnectionFailureException("The data node has not answered yet");
			}
			return this.factory;
		}

		@Override
		public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException error) {
			return this.factory.translateExceptionIfPossible(error);
		}

	}

}
