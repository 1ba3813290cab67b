package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/**
 * Pictures of what a tab shows.
 *
 * @param connection to the browser
 * @param context of the tab
 */
record Screenshot(BidiConnection connection, String context) {

	/**
	 * Saves a PNG and makes the folder for it.
	 * @param origin {@code document} for all of the page or {@code viewport} for what is
	 * in view
	 * @param file to write
	 */
	Path save(String origin, Path file) {
		String data = this.connection
			.send("browsingContext.captureScreenshot", Map.of("context", this.context, "origin", origin))
			.path("data")
			.asString();
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			return Files.write(file, Base64.getDecoder().decode(data));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
