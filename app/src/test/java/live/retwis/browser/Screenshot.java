package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/**
 * Screenshots of a tab.
 *
 * @param connection connection to the browser
 * @param context the tab
 */
record Screenshot(BidiConnection connection, String context) {

	/**
	 * Saves a PNG, and creates its folder.
	 * @param origin {@code document} for the whole page, or {@code viewport} for the
	 * visible part
	 * @param file the file to write
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
