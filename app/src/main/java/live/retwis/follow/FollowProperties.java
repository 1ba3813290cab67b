package live.retwis.follow;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of following.
 *
 * @param limit how many users one user may follow
 * @param shard most followers of a user in one list before another list is begun, 1 or
 * more. A list of millions would hold up everything else when it is moved or deleted
 */
@ConfigurationProperties("retwis.follow")
public record FollowProperties(@DefaultValue("2000") int limit, @DefaultValue("10000") int shard) {

	public FollowProperties {
		if (shard < 1) {
			throw new IllegalArgumentException("retwis.follow.shard is " + shard + ". Set it to 1 or more.");
		}
	}

}
