package live.retwis.doctor;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Locks.
 *
 * @param lease how long a guard lock lives without its holder
 */
@ConfigurationProperties("retwis.locks")
record LeaseProperties(@DefaultValue("10s") Duration lease) {
}
