package live.retwis.web;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How often a stream shows that it is alive. The pages know it too: a stream that is
 * silent for longer is dead.
 *
 * @param heartbeat a stream that was quiet for this long gets a position event
 */
@ConfigurationProperties("retwis.live")
public record HeartbeatProperties(@DefaultValue("15s") Duration heartbeat) {
}
