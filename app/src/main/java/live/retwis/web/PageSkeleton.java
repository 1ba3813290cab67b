package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/**
 * A page that a template made once, with places left open for what differs from one
 * answer to the next. For the busiest pages: filling the places in costs a fifth of
 * making the page anew.
 */
public final class PageSkeleton {

	/** Marks are control characters, which no template has; this is the first of them. */
	private static final char FIRST = 1;

	/** Tab, the first control character that a template may well have. */
	private static final char END = '\t';

	/** Number of the place of the markup, whose mark comes before the first. */
	private static final int MARKUP = -1;

	/** What stands before each place, and after the last. */
	private final List<byte[]> texts = new ArrayList<>();

	/** Ordinal of the place that each is; {@link #MARKUP} for the markup. */
	private final List<Integer> places = new ArrayList<>();

	private PageSkeleton(String page) {
		int begin = 0;
		for (int i = 0; i < page.length(); i++) {
			if (page.charAt(i) < END) {
				this.texts.add(page.substring(begin, i).getBytes(StandardCharsets.UTF_8));
				this.places.add(page.charAt(i) - FIRST);
				begin = i + 1;
			}
		}
		this.texts.add(page.substring(begin).getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Makes the page of a view that has {@link #mark} for each text that is to be filled
	 * in, and {@link #markup} for the markup.
	 */
	public static PageSkeleton of(PageTemplate template, PageView view) {
		return new PageSkeleton(template.execute(view));
	}

	/**
	 * What the view has in an open place.
	 * @param place one of up to eight
	 */
	public static String mark(Enum<?> place) {
		return String.valueOf((char) (FIRST + place.ordinal()));
	}

	/** What the view has where the markup goes. */
	public static RenderedMarkup markup() {
		return new RenderedMarkup(List.of(new byte[0]));
	}

	/**
	 * The page with its places filled in.
	 * @param markup goes in as it is
	 * @param values the text for each place that the view has; escaped here
	 */
	<P extends Enum<P>> DataBuffer fill(DataBufferFactory factory, RenderedMarkup markup, Map<P, String> values) {
		byte[][] escaped = new byte[END - FIRST][];
		values.forEach(
				(place, text) -> escaped[place.ordinal()] = Templates.escape(text).getBytes(StandardCharsets.UTF_8));
		List<byte[]> parts = new ArrayList<>(2 * this.texts.size() + markup.parts().size());
		for (int i = 0; i < this.places.size(); i++) {
			parts.add(this.texts.get(i));
			int place = this.places.get(i);
			if (place == MARKUP) {
				parts.addAll(markup.parts());
			}
			else {
				parts.add(escaped[place]);
			}
		}
		parts.add(this.texts.get(this.texts.size() - 1));
		return RenderedMarkup.join(parts, factory);
	}

}
