package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Events in the format of Server-Sent Events, as the bytes that are sent to every
 * subscriber.
 */
public final class ServerSentEventEncoder {

	/** A line end in that format: CR, LF or both. */
	private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

	/** Shortest time after which a browser reconnects to a stream that has ended. */
	private static final int SHORTEST_RETRY_MILLIS = 500;

	/** Longest time after which a browser reconnects to a stream that has ended. */
	private static final int LONGEST_RETRY_MILLIS = 5000;

	private ServerSentEventEncoder() {
	}

	/** An event. Data of several lines becomes several data lines. */
	public static byte[] event(Object id, String name, String data) {
		return text(id, name, data).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The first frame of a stream, or the last one: how long the browser waits before it
	 * reconnects, and an event. The wait is random, because all streams of an instance
	 * that is killed end at the same moment.
	 * @param server name of the instance, sent in a separate event; null to send none
	 */
	public static byte[] opening(Object id, String name, String data, @Nullable String server) {
		String opening = retryLine(soon()) + text(id, name, data);
		return ((server != null) ? opening + text(id, "instance", server) : opening).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * A frame that only says how long to wait before reconnecting. The stream ends after
	 * it.
	 */
	static byte[] retry(Duration retry) {
		return (retryLine(retry) + "\n").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The last frame of a stream that this instance cannot serve now. It sets a random
	 * wait before the browser reconnects.
	 */
	public static byte[] farewell() {
		return retry(soon());
	}

	private static Duration soon() {
		return Duration.ofMillis(ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS + 1));
	}

	private static String retryLine(Duration retry) {
		return "retry: " + retry.toMillis() + "\n";
	}

	private static String text(Object id, String name, String data) {
		StringBuilder text = new StringBuilder(data.length() + 80);
		text.append("id: ").append(id).append("\nevent: ").append(name).append('\n');
		for (String line : LINE_END.split(data, -1)) {
			text.append("data: ").append(line).append('\n');
		}
		return text.append('\n').toString();
	}

}
