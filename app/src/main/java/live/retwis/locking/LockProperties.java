package live.retwis.locking;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.Engine;
import live.retwis.locks.LockOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings of the locks that guard writes across keys.
 *
 * @param nodes {@code redis://[:password@]host:port} of each lock node ({@code rediss://}
 * for TLS), an odd number of independent masters, 3 or more
 * @param lease how long a guard lock lives without its holder
 * @param waitTime how long a request waits for a lock
 * @param nodeTimeout how long one lock node may take to answer before it counts as failed
 * @param engine {@code redisson} (on RedissonRedLock) or {@code parallel} (all nodes at
 * once)
 * @param sslBundle name of the SSL bundle ({@code spring.ssl.bundle.pem.<name>.*}) for
 * {@code rediss://} nodes. It holds the authorities to trust and, for nodes that ask for
 * one, a client certificate. Without a bundle the JVM's trust store applies
 */
@ConfigurationProperties("retwis.locks")
public record LockProperties(@DefaultValue List<String> nodes, @DefaultValue("10s") Duration lease,
		@Name("wait") @DefaultValue("2s") Duration waitTime, @DefaultValue("100ms") Duration nodeTimeout,
		@DefaultValue("redisson") Engine engine, @Nullable String sslBundle) {

	LockOptions options() {
		return LockOptions.of(this.lease, this.waitTime);
	}

}
