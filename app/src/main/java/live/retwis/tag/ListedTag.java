package live.retwis.tag;

import java.nio.charset.StandardCharsets;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;

import org.springframework.web.util.UriUtils;

/**
 * A tag in a list.
 *
 * @param tag without its {@code #}
 * @param address address of its posts
 * @param count number of posts
 * @param posts the same for people
 */
public record ListedTag(String tag, String address, long count, Localized posts) {

	static ListedTag of(String tag, long count) {
		return new ListedTag(tag, "/tags/" + UriUtils.encodePathSegment(tag, StandardCharsets.UTF_8), count,
				Message.of("tag.count", count));
	}

}
