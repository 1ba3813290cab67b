package live.retwis.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import io.netty.handler.codec.compression.Brotli;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.DigestUtils;
import org.springframework.util.FileSystemUtils;

/**
 * Static files that the build has compressed, with gzip and with Brotli. The encoder for
 * Brotli is a native library, which is not in the class path of the site. A compressed
 * file has the digest of its content as its name, so a content that has changed since has
 * none.
 */
final class CompressedFileStore {

	private static final String FOLDER = "compressed/";

	/** Called by its name, because the site does not depend on it. */
	private static final String BROTLI_ENCODER = "com.aayushatharva.brotli4j.encoder.Encoder";

	private CompressedFileStore() {
	}

	/** The compressed forms of a content that the build has made, the smallest first. */
	static Map<ContentCoding, byte[]> find(byte[] content) {
		Map<ContentCoding, byte[]> found = new EnumMap<>(ContentCoding.class);
		try {
			for (ContentCoding coding : ContentCoding.values()) {
				ClassPathResource file = new ClassPathResource(name(content, coding));
				if (file.exists()) {
					found.put(coding, file.getContentAsByteArray());
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found;
	}

	private static String name(byte[] content, ContentCoding coding) {
		return FOLDER + DigestUtils.md5DigestAsHex(content) + "." + coding.text();
	}

	/**
	 * Compresses contents into a folder of the class path. Makes nothing with Brotli on a
	 * system for which there is no encoder.
	 */
	static void make(Path classes, Stream<byte[]> contents) throws IOException, ReflectiveOperationException {
		FileSystemUtils.deleteRecursively(classes.resolve(FOLDER));
		Files.createDirectories(classes.resolve(FOLDER));
		for (byte[] content : contents.toList()) {
			Files.write(classes.resolve(name(content, ContentCoding.GZIP)), gzip(content));
			if (Brotli.isAvailable()) {
				Files.write(classes.resolve(name(content, ContentCoding.BROTLI)), brotli(content));
			}
		}
	}

	private static byte[] gzip(byte[] content) throws IOException {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
			out.write(content);
		}
		return compressed.toByteArray();
	}

	private static byte[] brotli(byte[] content) throws ReflectiveOperationException {
		Object compressed = Class.forName(BROTLI_ENCODER)
			.getMethod("compress", byte[].class)
			.invoke(null, (Object) content);
		return (byte[]) Objects.requireNonNull(compressed);
	}

}
