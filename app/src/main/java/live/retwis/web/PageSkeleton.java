package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/**
 * A page that is rendered once, with open places for the texts that differ between
 * answers. It is used for the busiest pages, because filling in the places costs a
 * sixteenth of rendering the page.
 */
public final class PageSkeleton {

	/**
	 * Mark of the first place. Marks are control characters that no template contains.
	 */
	private static final char FIRST = 1;

	/** Tab, the first control character that a template may contain. */
	private static final char END = '\t';

	/**
	 * Number of the place of the markup. Its mark is the character before {@link #FIRST}.
	 */
	private static final int MARKUP = -1;

	/** The texts before each place, and the text after the last one. */
	private final List<byte[]> texts = new ArrayList<>();

	/**
	 * Ordinals of the places, in the order of the page. {@link #MARKUP} is the place of
	 * the markup.
	 */
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
	 * Renders a page whose view has {@link #mark} for each text that is filled in later,
	 * and {@link #markup} for the markup.
	 */
	public static PageSkeleton of(PageTemplate template, PageView view) {
		return new PageSkeleton(template.execute(view));
	}

	/**
	 * The text that a view has in an open place.
	 * @param place a constant of an enum with eight constants at most
	 */
	public static String mark(Enum<?> place) {
		return String.valueOf((char) (FIRST + place.ordinal()));
	}

	/** The markup that a view has where the markup is filled in later. */
	public static RenderedMarkup markup() {
		return new RenderedMarkup(List.of(new byte[0]));
	}

	/**
	 * The page with its places filled in.
	 * @param markup is written as it is
	 * @param values the text for each open place; it is escaped here
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
