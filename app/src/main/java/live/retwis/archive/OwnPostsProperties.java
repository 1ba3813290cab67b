package live.retwis.archive;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much of the posts of one author stays in Redis.
 *
 * @param ownSize an author's newest posts that stay in Redis while there is an archive, 1
 * or more
 */
@ConfigurationProperties("retwis.timeline")
public record OwnPostsProperties(@DefaultValue("1000") int ownSize) {

	public OwnPostsProperties {
		if (ownSize < 1) {
			throw new IllegalArgumentException("retwis.timeline.own-size is " + ownSize + ". Set it to 1 or more.");
		}
	}

}
