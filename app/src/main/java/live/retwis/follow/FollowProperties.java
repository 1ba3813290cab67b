package live.retwis.follow;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of following.
 *
 * @param limit how many users one user may follow
 * @param shard most followers of a user in one list before another list is begun. A list
 * of millions would hold up everything else when it is moved or deleted
 */
@ConfigurationProperties("retwis.follow")
public record FollowProperties(@DefaultValue("2000") int limit, @DefaultValue("10000") int shard) {
}
