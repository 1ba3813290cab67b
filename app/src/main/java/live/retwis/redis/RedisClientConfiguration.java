package live.retwis.redis;

import java.time.Duration;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.resource.Delay;

import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

	@Bean
	LettuceClientOptionsBuilderCustomizer failWhileDisconnected() {
		return (options) -> options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
	}

	@Bean
	ClientResourcesBuilderCustomizer reconnectSoon() {
		return (resources) -> resources.reconnectDelay(Delay.constant(RECONNECT_DELAY));
	}

}
