package live.retwis.post;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of posts.
 *
 * @param length most characters of a post, Unicode code points, after line ends became LF
 */
@ConfigurationProperties("retwis.post")
record PostProperties(@DefaultValue("280") int length) {
}
