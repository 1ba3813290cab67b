package live.retwis.live;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Streams.
 *
 * @param heartbeat a stream that was quiet for so long gets a position event
 * @param buffer events that one slow subscriber may lag before it is cut off
 * @param replayBytes memory of this instance for entries that streams are resumed from,
 * at most; a post takes about 1 kB. Positions before that are too old
 * @param life how long a stream lives on average, each for two thirds to four thirds of
 * it, then its browser opens another one: so readers come to an instance that was added
 * within the hour, too, and leave one that has more than its share; a reconnect for each
 * half an hour costs nothing
 * @param drain an instance that stops goes on serving for so long, so that a load
 * balancer notices first; 0 with embedded nodes
 * @param coalesce whether several events to one socket share a write while the server is
 * behind; off only to measure what each write costs
 */
@ConfigurationProperties("retwis.live")
public record LiveProperties(@DefaultValue("15s") Duration heartbeat, @DefaultValue("256") int buffer,
		@DefaultValue("64MB") DataSize replayBytes, @DefaultValue("45m") Duration life,
		@DefaultValue("2s") Duration drain, @DefaultValue("true") boolean coalesce) {
}
