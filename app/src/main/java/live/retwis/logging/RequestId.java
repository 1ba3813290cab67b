package live.retwis.logging;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.slf4j.spi.LoggingEventBuilder;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * The id of a request. The response carries it, and so do log lines about the request,
 * here and in the proxies in front of this site.
 */
public final class RequestId {

	/**
	 * The header that carries the id. It is accepted from trusted proxies, and sent with
	 * each response.
	 */
	public static final String HEADER = "X-Request-Id";

	/** Name of the id in a log line. */
	private static final String KEY = "request_id";

	private static final Pattern SOUND = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private RequestId() {
	}

	/**
	 * Whether an id from a proxy is safe to log: 1 to 64 letters, digits, dots,
	 * underscores and hyphens.
	 */
	public static boolean isSound(String text) {
		return SOUND.matcher(text).matches();
	}

	/**
	 * A new id: 128 bits in hex. Ids must differ but need not be hard to guess, so they
	 * do not use the secure random generator.
	 */
	public static String fresh() {
		HexFormat hex = HexFormat.of();
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
	}

	/** The id of the request that this response answers. */
	public static String of(ServerHttpResponse answer) {
		return String.valueOf(answer.getHeaders().getFirst(HEADER));
	}

	/**
	 * A context with the id, for log lines in code that has neither request nor response.
	 */
	public static Context context(ServerHttpResponse answer) {
		return Context.of(RequestId.class, of(answer));
	}

	/** Adds the id to a log line. */
	public static LoggingEventBuilder in(LoggingEventBuilder line, ServerHttpResponse answer) {
		return line.addKeyValue(KEY, of(answer));
	}

	/** Adds the id to a log line if the context has one. */
	public static LoggingEventBuilder in(LoggingEventBuilder line, ContextView context) {
		return context.hasKey(RequestId.class) ? line.addKeyValue(KEY, context.<String>get(RequestId.class)) : line;
	}

}
