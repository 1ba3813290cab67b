package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/**
 * Markup that we rendered before, in UTF-8. A template only says where it stands; its
 * bytes go into the page as they are. Decoding and encoding them again would cost more
 * than the rest of the page.
 *
 * @param parts one after the other
 */
public record RenderedMarkup(List<byte[]> parts) {

	/** Stands for it in what a template makes; no text on a page contains it. */
	private static final String PLACE = "\0";

	/**
	 * What the template writes: nothing where there is nothing, which counts as false.
	 */
	String place() {
		return this.parts.isEmpty() ? "" : PLACE;
	}

	/**
	 * The page that a template made, with markup in its places.
	 * @param markup as many as the template has places that are not empty, in their order
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

	/** One after the other. */
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
