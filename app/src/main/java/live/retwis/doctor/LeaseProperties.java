package live.retwis.doctor;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Locks.
 *
 * @param lease how long a guard lock lives without its holder
 * @param waitTime how long to wait for one
 */
@ConfigurationProperties("retwis.locks")
record LeaseProperties(@DefaultValue("10s") Duration lease, @Name("wait") @DefaultValue("2s") Duration waitTime) {
}
