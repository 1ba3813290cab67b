package live.retwis.post;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of posts.
 *
 * @param length most characters of a post, Unicode code points, after line ends became
 * LF, 1 to 5,000. A form has at most 64 kB, of which a character takes up to twelve bytes
 */
@ConfigurationProperties("retwis.post")
record PostProperties(@DefaultValue("280") int length) {

	private static final int MOST = 5_000;

	PostProperties {
		if (length < 1 || length > MOST) {
			throw new IllegalArgumentException(
					"retwis.post.length is " + length + ". Set it to 1 to " + MOST + ": a form has no more.");
		}
	}

}
