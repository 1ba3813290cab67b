package live.retwis.log;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the commit log.
 *
 * @param maxBacklog entries from the oldest one on that fan-out has not done, at which
 * posting answers 503
 */
@ConfigurationProperties("retwis.log")
public record CommitLogProperties(@DefaultValue("100000") int maxBacklog) {
}
