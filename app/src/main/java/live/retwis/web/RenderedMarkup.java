package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/**
 * Markup that was rendered before, in UTF-8. A template only says where it stands, and
 * its bytes are copied into the page. Decoding and encoding them again would cost more
 * than the rest of the page.
 *
 * @param parts pieces of the markup, in their order
 */
public record RenderedMarkup(List<byte[]> parts) {

	/**
	 * Stands in the template's output where the markup belongs. No text on a page
	 * contains it.
	 */
	private static final String PLACE = "\0";

	/**
	 * What the template writes for this markup. It is empty when there is no markup, so
	 * that a section of it is not shown.
	 */
	String place() {
		return this.parts.isEmpty() ? "" : PLACE;
	}

	/**
	 * A page with the markup filled in.
	 * @param page the template's output
	 * @param markup one for each place of the template, in their order; empty ones have
	 * no place in the output
	 */
	static DataBuffer fill(String page, DataBufferFactory factory, RenderedMarkup... markup) {
		List<byte[]> parts = new ArrayList<>();
		int begin = 0;
		for (RenderedMarkup filling : markup) {
			if (!filling.parts.isEmpty()) {
				int place = page.indexOf(PLACE, begin);
				parts.add(page.substring(begin, place).getBytes(StandardCharsets.UTF_8));
				parts.addAll(filling.parts);
				begin = place + PLACE.length();
			}
		}
		parts.add(page.substring(begin).getBytes(StandardCharsets.UTF_8));
		return join(parts, factory);
	}

	/** Joins the pieces in one buffer. */
	static DataBuffer join(List<byte[]> parts, DataBufferFactory factory) {
		int length = 0;
		for (byte[] part : parts) {
			length += part.length;
		}
		DataBuffer buffer = factory.allocateBuffer(length);
		parts.forEach(buffer::write);
		return buffer;
	}

}
