package live.retwis.post;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Timelines.
 *
 * @param size posts kept in a home timeline
 * @param publicSize posts kept in the public timeline
 */
@ConfigurationProperties("retwis.timeline")
public record TimelineProperties(@DefaultValue("800") int size, @DefaultValue("1000") int publicSize) {
}
