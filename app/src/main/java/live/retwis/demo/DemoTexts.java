package live.retwis.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Names and sentences for the demo, one per line in the files of {@code resources/demo}.
 */
final class DemoTexts {

	static final List<String> NAMES = lines("names");

	static final List<String> POSTS = lines("posts");

	static final List<String> REPLIES = lines("replies");

	private DemoTexts() {
	}

	private static List<String> lines(String name) {
		try (InputStream in = DemoTexts.class.getResourceAsStream("/demo/" + name + ".txt")) {
			if (in == null) {
				throw new IllegalStateException("no demo/" + name + ".txt");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
