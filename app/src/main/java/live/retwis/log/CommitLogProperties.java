package live.retwis.log;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the commit log.
 *
 * @param maxBacklog posting answers 503 when this many entries have been added since the
 * oldest unprocessed one
 */
@ConfigurationProperties("retwis.log")
public record CommitLogProperties(@DefaultValue("100000") int maxBacklog) {
}
