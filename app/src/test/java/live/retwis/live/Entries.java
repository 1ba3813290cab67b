package live.retwis.live;

import java.nio.charset.StandardCharsets;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.log.LogPosition;

/**
 * Log entries for unit tests, numbered from 1.
 */
final class Entries {

	private Entries() {
	}

	static LogPosition at(int number) {
		return new LogPosition(1000 + number, 0, "n" + number);
	}

	static FeedEntry post(int number, String post, String author) {
		return new FeedEntry(new LogEntry(at(number), Type.POST, post, author, ""), frame(number));
	}

	static FeedEntry delete(int number, String post, String author) {
		return new FeedEntry(new LogEntry(at(number), Type.DELETE, post, author, ""), frame(number));
	}

	static FeedEntry counts(int number, String post, String author) {
		return new FeedEntry(new LogEntry(at(number), Type.COUNTS, post, author, ""), frame(number));
	}

	static FeedEntry silent(int number, Type type, String user, String other) {
		return new FeedEntry(new LogEntry(at(number), type, "", user, other), null);
	}

	static byte[] frame(int number) {
		return ("frame " + number).getBytes(StandardCharsets.UTF_8);
	}

	static String text(byte[] frame) {
		return new String(frame, StandardCharsets.UTF_8);
	}

}
