package live.retwis.locks.lab.history;

import java.nio.file.Path;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes histories as JSON, and reads them.
 */
public final class HistoryJson {

	private static final JsonMapper LINE = JsonMapper.builder().build();

	private static final JsonMapper PAGE = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private HistoryJson() {
	}

	/** The value in one line. */
	public static String line(Object value) {
		return LINE.writeValueAsString(value);
	}

	/** Writes a file that people can read too. */
	public static void write(Path file, Object value) {
		PAGE.writeValue(file, value);
	}

	/** Reads what {@link #line} or {@link #write} wrote. */
	public static <T> T read(String text, Class<T> type) {
		return LINE.readValue(text, type);
	}

}
