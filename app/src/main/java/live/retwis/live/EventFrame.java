package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;

/**
 * Events in the format of Server-Sent Events, as the bytes that every subscriber gets.
 */
final class EventFrame {

	/** What ends a line there: CR, LF or both. */
	private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

	private EventFrame() {
	}

	/** An event; data of several lines becomes several data lines. */
	static byte[] event(Position id, String name, String data) {
		return text(id, name, data).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * How long the browser waits before it connects again, and an event.
	 * @param server told in an event of its own; null for none
	 */
	static byte[] opening(Duration retry, Position id, String name, String data, @Nullable String server) {
		String opening = retryLine(retry) + text(id, name, data);
		return ((server != null) ? opening + text(id, "instance", server) : opening).getBytes(StandardCharsets.UTF_8);
	}

	/** Only how long to wait: the stream ends after it. */
	static byte[] retry(Duration retry) {
		return (retryLine(retry) + "\n").getBytes(StandardCharsets.UTF_8);
	}

	private static String retryLine(Duration retry) {
		return "retry: " + retry.toMillis() + "\n";
	}

	private static String text(Position id, String name, String data) {
		StringBuilder text = new StringBuilder(data.length() + 80);
		text.append("id: ").append(id).append("\nevent: ").append(name).append('\n');
		for (String line : LINE_END.split(data, -1)) {
			text.append("data: ").append(line).append('\n');
		}
		return text.append('\n').toString();
	}

}
