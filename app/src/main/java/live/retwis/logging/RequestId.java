package live.retwis.logging;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.slf4j.spi.LoggingEventBuilder;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * The number of a request: the same in its answer, in what the log says of it, and in the
 * logs of the proxies before this site.
 */
public final class RequestId {

	/** Asked with, by a proxy that is believed, and answered with. */
	public static final String HEADER = "X-Request-Id";

	/** Its name in a line of the log. */
	private static final String KEY = "request_id";

	private static final Pattern SOUND = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private RequestId() {
	}

	/** Whether what a proxy sent can stand in a log: up to 64 letters, digits, . _ - */
	public static boolean isSound(String text) {
		return SOUND.matcher(text).matches();
	}

	/**
	 * 128 bits in hex. Numbers have to differ and need not be hard to guess, so they cost
	 * no secure random.
	 */
	public static String fresh() {
		HexFormat hex = HexFormat.of();
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
	}

	/** The number of the request that is answered. */
	public static String of(ServerHttpResponse answer) {
		return String.valueOf(answer.getHeaders().getFirst(HEADER));
	}

	/** For what is logged where neither request nor answer is at hand. */
	public static Context context(ServerHttpResponse answer) {
		return Context.of(RequestId.class, of(answer));
	}

	/** Adds the number to a line of the log. */
	public static LoggingEventBuilder in(LoggingEventBuilder line, ServerHttpResponse answer) {
		return line.addKeyValue(KEY, of(answer));
	}

	/** Adds the number to a line of the log while a form is worked on; else nothing. */
	public static LoggingEventBuilder in(LoggingEventBuilder line, ContextView context) {
		return context.hasKey(RequestId.class) ? line.addKeyValue(KEY, context.<String>get(RequestId.class)) : line;
	}

}
