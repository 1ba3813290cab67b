package live.retwis.log;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much of the log is kept so that streams can be resumed.
 *
 * @param replay how long a stream can be resumed
 * @param replayEntries log entries kept for that, at most
 */
@ConfigurationProperties("retwis.live")
public record LogRetentionProperties(@DefaultValue("1h") Duration replay, @DefaultValue("100000") int replayEntries) {
}
