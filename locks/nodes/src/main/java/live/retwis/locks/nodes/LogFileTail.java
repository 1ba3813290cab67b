package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the end of a log file, for messages. A server that has left its terminal says
 * only there what went wrong.
 */
final class LogFileTail {

	private static final int BYTES = 2048;

	private LogFileTail() {
	}

	/**
	 * Reads the last lines. Never fails, because it completes messages about failures.
	 * @param file the log
	 * @return the last 2 KB, in whole lines
	 */
	static String of(Path file) {
		if (!Files.exists(file)) {
			return "(" + file + " was not written)";
		}
		try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
			boolean cut = log.length() > BYTES;
			byte[] tail = new byte[(int) Math.min(log.length(), BYTES)];
			log.seek(log.length() - tail.length);
			log.readFully(tail);
			String text = new String(tail, StandardCharsets.UTF_8);
			return (cut ? text.substring(text.indexOf('\n') + 1) : text).strip();
		}
		catch (IOException ex) {
			return "(" + file + " cannot be read: " + ex + ")";
		}
	}

}
