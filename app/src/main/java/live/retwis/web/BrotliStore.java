package live.retwis.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.netty.handler.codec.compression.Brotli;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.DigestUtils;
import org.springframework.util.FileSystemUtils;

/**
 * Static files that the build has compressed with Brotli. The encoder is a native
 * library, which is not in the class path of the site. A compressed file has the digest
 * of its content as its name, so a content that has changed since has none.
 */
final class BrotliStore {

	private static final String FOLDER = "brotli/";

	/** Called by its name, because the site does not depend on it. */
	private static final String ENCODER = "com.aayushatharva.brotli4j.encoder.Encoder";

	private BrotliStore() {
	}

	/** The compressed form of a content; empty when the build made none. */
	static Optional<byte[]> find(byte[] content) {
		ClassPathResource file = new ClassPathResource(name(content));
		try {
			return file.exists() ? Optional.of(file.getContentAsByteArray()) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String name(byte[] content) {
		return FOLDER + DigestUtils.md5DigestAsHex(content) + ".br";
	}

	/**
	 * Compresses contents into a folder of the class path. Makes nothing on a system for
	 * which there is no encoder.
	 */
	static void make(Path classes, Stream<byte[]> contents) throws IOException, ReflectiveOperationException {
		FileSystemUtils.deleteRecursively(classes.resolve(FOLDER));
		if (Brotli.isAvailable()) {
			Files.createDirectories(classes.resolve(FOLDER));
			for (byte[] content : contents.toList()) {
				Files.write(classes.resolve(name(content)), compress(content));
			}
		}
	}

	private static byte[] compress(byte[] content) throws ReflectiveOperationException {
		Object compressed = Class.forName(ENCODER).getMethod("compress", byte[].class).invoke(null, (Object) content);
		return (byte[]) Objects.requireNonNull(compressed);
	}

}
