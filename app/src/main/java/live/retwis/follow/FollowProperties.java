package live.retwis.follow;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Following.
 *
 * @param limit how many users one user may follow
 * @param shard followers of a user that are kept in one list before another one is begun:
 * a list of millions would hold up everything else when it moves or goes
 */
@ConfigurationProperties("retwis.follow")
public record FollowProperties(@DefaultValue("2000") int limit, @DefaultValue("10000") int shard) {
}
