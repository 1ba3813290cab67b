package live.retwis.logging;

import java.time.Duration;
import java.util.Arrays;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.DefaultLoggingEvent;
import org.slf4j.event.LoggingEvent;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Writes a stack trace of a kind at most once a minute, so that nobody can fill the log
 * with requests that fail. The line itself is always written, with the class of the
 * error. Stack traces are of one kind when logger, class of the error and the place where
 * it was thrown are the same. {@code retwis.log.repeated} counts those that were left
 * out.
 */
@Component
class RepeatedStackTraceFilter extends TurboFilter implements SmartLifecycle {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	/** The program has fewer places that can fail. */
	private static final int KINDS = 1_000;

	private final LoggerContext loggers;

	private final Cache<String, Boolean> written = Caffeine.newBuilder()
		.maximumSize(KINDS)
		.expireAfterWrite(PERIOD)
		.build();

	private final Counter leftOut;

	@Autowired
	RepeatedStackTraceFilter(MeterRegistry meters) {
		this(meters, (LoggerContext) LoggerFactory.getILoggerFactory());
	}

	RepeatedStackTraceFilter(MeterRegistry meters, LoggerContext loggers) {
		this.loggers = loggers;
		this.leftOut = meters.counter("retwis.log.repeated");
	}

	/** Called for a line of an ordinary logging method. */
	@Override
	public FilterReply decide(@Nullable Marker marker, Logger logger, Level level, @Nullable String text,
			Object @Nullable [] values, @Nullable Throwable given) {
		Throwable error = (given != null) ? given : last(values);
		if (error == null || !level.isGreaterOrEqual(logger.getEffectiveLevel()) || !isRepeated(logger, error)) {
			return FilterReply.NEUTRAL;
		}
		logger.log(marker, Logger.FQCN, Level.toLocationAwareLoggerInteger(level), withoutTrace(text, error),
				(given != null || values == null) ? values : Arrays.copyOf(values, values.length - 1), null);
		return FilterReply.DENY;
	}

	/** The error that a logging method got as its last value. */
	private static @Nullable Throwable last(Object @Nullable [] values) {
		return (values != null && values.length > 0 && values[values.length - 1] instanceof Throwable error) ? error
				: null;
	}

	/** Called for a line that was put together step by step. */
	@Override
	public FilterReply decide(Logger logger, LoggingEvent line) {
		Throwable error = line.getThrowable();
		if (error != null && line instanceof DefaultLoggingEvent changeable && isRepeated(logger, error)) {
			changeable.setMessage(withoutTrace(line.getMessage(), error));
			changeable.setThrowable(null);
		}
		return FilterReply.NEUTRAL;
	}

	private boolean isRepeated(Logger logger, Throwable error) {
		StackTraceElement[] trace = error.getStackTrace();
		String kind = logger.getName() + " " + error.getClass().getName() + " " + ((trace.length > 0) ? trace[0] : "");
		boolean repeated = this.written.asMap().putIfAbsent(kind, true) != null;
		if (repeated) {
			this.leftOut.increment();
		}
		return repeated;
	}

	private static String withoutTrace(@Nullable String text, Throwable error) {
		return text + " (" + error.getClass().getName() + ", with the same stack trace as in the last minute)";
	}

	@Override
	public void start() {
		super.start();
		this.loggers.addTurboFilter(this);
	}

	@Override
	public void stop() {
		this.loggers.getTurboFilterList().remove(this);
		super.stop();
	}

	@Override
	public boolean isRunning() {
		return isStarted();
	}

	/** Starts first and stops last. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}
