package live.retwis.post;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Timelines.
 *
 * @param size posts kept in a home timeline
 * @param publicSize posts kept in the public timeline
 * @param pushLimit a post by an author with more followers than this is pulled by
 * readers, not pushed
 * @param activeDays a follower away for longer is not pushed to; the timeline is rebuilt
 * on return
 */
@ConfigurationProperties("retwis.timeline")
public record TimelineProperties(@DefaultValue("800") int size, @DefaultValue("1000") int publicSize,
		@DefaultValue("10000") int pushLimit, @DefaultValue("30") int activeDays) {
}
