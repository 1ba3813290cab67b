package live.retwis.post;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import live.retwis.text.ParsedPostText;
import live.retwis.text.TextPart;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.UriUtils;

/**
 * A part of a text, as the template of texts sees it. It has one of these.
 *
 * @param plain text; null for a link
 * @param link a link within the site; null for none
 * @param url a link to elsewhere; null for none
 */
public record TextPartView(@Nullable String plain, @Nullable Link link, TextPart.@Nullable Url url) {

	/**
	 * A part of a text.
	 * @param mentioned by name in lower case, the names of mentioned users who exist
	 */
	static TextPartView of(TextPart part, Map<String, String> mentioned) {
		if (part instanceof TextPart.Url url) {
			return new TextPartView(null, null, url);
		}
		String address = address(part, mentioned);
		return (address != null) ? new TextPartView(null, new Link(address, part.text()), null)
				: new TextPartView(part.text(), null, null);
	}

	/** The parts of a text in which names are no links. */
	public static List<TextPartView> of(String text) {
		return ParsedPostText.of(text).parts().stream().map((part) -> of(part, Map.of())).toList();
	}

	private static @Nullable String address(TextPart part, Map<String, String> mentioned) {
		if (part instanceof TextPart.Tag tag) {
			return "/tags/" + UriUtils.encodePathSegment(tag.tag(), StandardCharsets.UTF_8);
		}
		return (part instanceof TextPart.Mention mention && mentioned.containsKey(mention.name()))
				? "/@" + mentioned.get(mention.name()) : null;
	}

	/**
	 * A link within the site.
	 *
	 * @param address the page it leads to
	 * @param text what it shows
	 */
	public record Link(String address, String text) {
	}

}
