package live.retwis.timeline;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of timelines.
 *
 * @param size posts kept in a home timeline, 1 to 5,000, because scripts process all of
 * them at once
 * @param publicSize posts kept in the public timeline, 1 or more
 * @param pushLimit a post by an author with more followers than this is pulled by
 * readers, not pushed
 * @param activeDays posts are not pushed to a follower who is away for longer; the
 * timeline is rebuilt on return
 */
@ConfigurationProperties("retwis.timeline")
public record TimelineProperties(@DefaultValue("800") int size, @DefaultValue("1000") int publicSize,
		@DefaultValue("10000") int pushLimit, @DefaultValue("30") int activeDays) {

	private static final int MOST = 5000;

	public TimelineProperties {
		if (size < 1 || size > MOST) {
			throw new IllegalArgumentException(
					"retwis.timeline.size is %d. Set it to a number from 1 to %d.".formatted(size, MOST));
		}
		if (publicSize < 1) {
			throw new IllegalArgumentException(
					"retwis.timeline.public-size is " + publicSize + ". Set it to 1 or more.");
		}
	}

}
