package live.retwis.logging;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that fail do not fill the log with stack traces. */
class RepeatedStackTraceFilterTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final LoggerContext loggers = new LoggerContext();

	private final RepeatedStackTraceFilter filter = new RepeatedStackTraceFilter(this.meters, this.loggers);

	private final Logger log = this.loggers.getLogger(RepeatedStackTraceFilterTests.class);

	private final ListAppender<ILoggingEvent> written = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.written.start();
		this.log.addAppender(this.written);
		this.filter.start();
	}

	private static IllegalStateException failure() {
		return new IllegalStateException("x");
	}

	@Test
	void aStackTraceOfAKindIsWrittenOnceAndEachLineAsOftenAsItComes() {
		for (int i = 0; i < 3; i++) {
			this.log.error("request {} failed", i, failure());
			this.log.atError().setCause(failure()).addKeyValue("request_id", i).log("request {} failed", i);
			this.log.error("another place", new IllegalStateException("y"));
		}
		assertThat(this.written.list).hasSize(9);
		assertThat(this.written.list.stream().filter((line) -> line.getThrowableProxy() != null)).hasSize(2);
		assertThat(this.written.list.get(7).getFormattedMessage()).startsWith("request 2 failed")
			.contains("java.lang.IllegalStateException");
		assertThat(this.written.list.get(7).getKeyValuePairs()).hasSize(1);
		assertThat(this.written.list.get(6).getFormattedMessage()).startsWith("request 2 failed (");
		assertThat(this.meters.counter("retwis.log.repeated").count()).isEqualTo(7);
	}

	@Test
	void aWarningThatClientsCauseIsWrittenOnceAMinute() {
		RareWarning warning = new RareWarning(this.log, "{} times, the latest from {}");
		for (int i = 0; i < 100; i++) {
			warning.warn("203.0.113." + i);
		}
		assertThat(this.written.list).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.isEqualTo("1 times, the latest from 203.0.113.0");
	}

}
