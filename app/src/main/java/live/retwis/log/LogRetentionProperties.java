package live.retwis.log;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much of the log is kept so that streams can be resumed.
 *
 * @param replay how long a stream can be resumed
 * @param replayEntries posts, and other entries that a resumed stream is sent, kept for
 * that, at most
 */
@ConfigurationProperties("retwis.live")
public record LogRetentionProperties(@DefaultValue("1h") Duration replay, @DefaultValue("100000") int replayEntries) {

	private static final int ALL = 4;

	/**
	 * Most entries of any type that the log keeps for that: four times as many, so that
	 * follows, likes and log-outs do not use up what posts need.
	 */
	public int logEntries() {
		return Math.toIntExact(Math.min(Integer.MAX_VALUE, (long) ALL * this.replayEntries));
	}

}
