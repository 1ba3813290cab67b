package live.retwis.follow;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Following.
 *
 * @param limit how many users one user may follow
 */
@ConfigurationProperties("retwis.follow")
public record FollowProperties(@DefaultValue("2000") int limit) {
}
