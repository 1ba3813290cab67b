package live.retwis.locks;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/**
 * What a log does not need about a node that is not reached: the warnings of Redisson,
 * and everything with a stack trace. It listens while it is open.
 */
final class ConnectionNoise implements AutoCloseable {

	private static final String REDISSON = "org.redisson";

	private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

	private final Logger redisson = (Logger) LoggerFactory.getLogger(REDISSON);

	private final Level usual = this.redisson.getLevel();

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	ConnectionNoise() {
		this.logged.start();
		this.redisson.setLevel(Level.WARN);
		this.root.addAppender(this.logged);
	}

	List<ILoggingEvent> events() {
		return List.copyOf(this.logged.list)
			.stream()
			.filter((event) -> event.getLoggerName().startsWith(REDISSON) || event.getThrowableProxy() != null)
			.toList();
	}

	@Override
	public void close() {
		this.root.detachAppender(this.logged);
		this.redisson.setLevel(this.usual);
	}

}
