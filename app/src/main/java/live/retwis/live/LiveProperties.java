package live.retwis.live;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the streams.
 *
 * @param buffer events that one slow subscriber may lag before it is cut off
 * @param replayBytes most memory of an instance for entries that streams are resumed
 * from; a post takes about 1 kB. A stream that asks for an older position gets a reset
 * @param life average lifetime of a stream; each one lives for two thirds to four thirds
 * of it, then its browser opens another one. So within an hour readers spread to an
 * instance that was added, and leave one that has more than its share. A reconnect every
 * half hour costs next to nothing
 * @param drain how long a stopping instance goes on serving, so that a load balancer
 * notices first; 0 with embedded nodes
 * @param writer what writes events to sockets; other values than {@code shared} are for
 * benchmarks
 */
@ConfigurationProperties("retwis.live")
public record LiveProperties(@DefaultValue("256") int buffer, @DefaultValue("64MB") DataSize replayBytes,
		@DefaultValue("45m") Duration life, @DefaultValue("2s") Duration drain, @DefaultValue("shared") Writer writer) {

	/** What writes events to sockets. */
	public enum Writer {

		/**
		 * The site's own; events to one socket share a write while the server is behind.
		 */
		SHARED,
		/** The site's own, with a write for each event. */
		SINGLE,
		/** The web framework. */
		FRAMEWORK

	}

}
