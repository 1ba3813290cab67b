package live.retwis.web;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ContentDisposition;
import org.springframework.http.codec.multipart.FormPartEvent;
import org.springframework.http.codec.multipart.PartEvent;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * The parts of a form with files, as they arrive. They stay in memory. All files of a
 * form together keep {@link UploadedFile#MOST_BYTES}. The rest is read and dropped, so
 * that the answer can be the form with a message. A browser does not show the answer to a
 * form that it could not send to its end.
 */
final class MultipartReader {

	/**
	 * Most characters of all texts of a form together. The answer can have them again.
	 */
	private static final int MOST_TEXT = 64 * 1024;

	private final MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();

	private final Map<String, ByteArrayOutputStream> files = new HashMap<>();

	/** Names of the files that were cut off. */
	private final Set<String> cut = new HashSet<>();

	private int kept;

	/** Characters of the texts so far. */
	private int text;

	/**
	 * Takes the next part, or a piece of it.
	 * @throws DataBufferLimitException when the texts are too long
	 */
	void add(PartEvent event) {
		try {
			ContentDisposition part = event.headers().getContentDisposition();
			if (part.getName() != null) {
				add(part.getName(), part.getFilename(), event);
			}
		}
		finally {
			DataBufferUtils.release(event.content());
		}
	}

	private void add(String name, @Nullable String filename, PartEvent event) {
		if (event instanceof FormPartEvent field) {
			this.text += field.value().length();
			if (this.text > MOST_TEXT) {
				throw new DataBufferLimitException("the texts of a form are too long");
			}
			this.fields.add(name, field.value());
		}
		else if (!"".equals(filename)) {
			// Browsers send a file without a name when none was chosen.
			keep(name, event.content());
		}
	}

	private void keep(String name, DataBuffer content) {
		byte[] bytes = new byte[Math.min(content.readableByteCount(), UploadedFile.MOST_BYTES - this.kept)];
		if (bytes.length < content.readableByteCount()) {
			this.cut.add(name);
		}
		content.read(bytes);
		this.kept += bytes.length;
		this.files.computeIfAbsent(name, (first) -> new ByteArrayOutputStream()).writeBytes(bytes);
	}

	/** The texts by their names. */
	MultiValueMap<String, String> fields() {
		return this.fields;
	}

	/** The files by their names. */
	Map<String, UploadedFile> files() {
		Map<String, UploadedFile> sent = new HashMap<>();
		this.files
			.forEach((name, bytes) -> sent.put(name, new UploadedFile(bytes.toByteArray(), !this.cut.contains(name))));
		return sent;
	}

}
