package live.retwis.web;

import java.nio.charset.StandardCharsets;
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
public record Markup(List<byte[]> parts) {

	/** Stands for it in what a template makes; no text on a page contains it. */
	private static final String PLACE = "\0";

	/**
	 * What the template writes: nothing where there is nothing, which counts as false.
	 */
	String place() {
		return this.parts.isEmpty() ? "" : PLACE;
	}

	/** The page that a template made, with this in its place. */
	DataBuffer into(String page, DataBufferFactory factory) {
		int place = this.parts.isEmpty() ? page.length() : page.indexOf(PLACE);
		byte[] head = page.substring(0, place).getBytes(StandardCharsets.UTF_8);
		byte[] tail = page.substring(Math.min(place + PLACE.length(), page.length())).getBytes(StandardCharsets.UTF_8);
		DataBuffer buffer = factory
			.allocateBuffer(head.length + this.parts.stream().mapToInt((part) -> part.length).sum() + tail.length);
		buffer.write(head);
		this.parts.forEach(buffer::write);
		return buffer.write(tail);
	}

}
